import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { languageName } from '../../src/i18n/choose-language.ts';
import { type ChoiceName, choices, lookOf, type Query, singleAddress } from './query.ts';
import { type GalleryScreen, groups, screens } from './screens.ts';
import { type Look, showScreen } from './show-screen.ts';

/** The screens of one group side by side, with an index and filters above them. */
export function Overview({ query }: { query: Query }): JSX.Element {
  const { theme, locale, width, density } = query.chosen;
  const shown = screensOf(query.group);
  const looks = theme.flatMap((t) => locale.flatMap((l) => density.map((d) => lookOf(t, l, d))));
  return (
    <>
      <header>
        <h1>All screens</h1>
        <p>
          {screens.length} screens of the checkout, each as a shopper sees it. Choose themes, languages and
          widths to see them beside each other.
        </p>
      </header>
      <Index query={query} />
      <details class="choices" open={/theme|locale|width|density/.test(location.search)}>
        <summary>Theme, language, width</summary>
        <Filters query={query} />
      </details>
      {shown.map((screen) => (
        <section key={screen.name} id={screen.name}>
          <h2>{titleOf(screen)}</h2>
          <code>{screen.name}</code>
          <div class="looks">
            {looks.flatMap((look) =>
              width.map((px) => (
                <Figure key={JSON.stringify([look, px])} screen={screen} look={look} width={px} />
              )),
            )}
          </div>
        </section>
      ))}
    </>
  );
}

const screensOf = (group: Query['group']): readonly GalleryScreen[] => {
  const states: readonly string[] = groups[group].states;
  return states.flatMap((state) => screens.filter((screen) => screen.state.name === state));
};

/** `awaitingTransfer-lastMinute` is titled "Awaiting transfer: last minute". */
const titleOf = ({ name }: GalleryScreen): string => {
  const text = name
    .replace('-', ': ')
    .replace('-', ', ')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Stays in sight: the groups, and the screens of this one. */
function Index({ query }: { query: Query }): JSX.Element {
  const addressOf = (group: string): string => {
    const chosen = new URLSearchParams(location.search);
    chosen.set('group', group);
    return `?${chosen}`;
  };
  return (
    <nav class="index" aria-label="Screens">
      {Object.entries(groups).map(([group, { title }]) => (
        <a key={group} href={addressOf(group)} aria-current={group === query.group ? 'page' : undefined}>
          {title} <small>{screensOf(group as Query['group']).length}</small>
        </a>
      ))}
      <select
        aria-label="Go to a screen"
        onChange={({ currentTarget }) => {
          location.hash = currentTarget.value;
        }}
      >
        {screensOf(query.group).map((screen) => (
          <option key={screen.name} value={screen.name}>
            {titleOf(screen)}
          </option>
        ))}
      </select>
    </nav>
  );
}

/** A language by its own name. */
const labelOf = (choice: string): string => (/^[a-z]{2,3}$/.test(choice) ? languageName(choice) : choice);

function Filters({ query }: { query: Query }): JSX.Element {
  return (
    <form onChange={({ currentTarget }) => currentTarget.submit()}>
      <input type="hidden" name="group" value={query.group} />
      {(Object.keys(choices) as ChoiceName[]).map((name) => (
        <fieldset key={name}>
          <legend>{name === 'locale' ? 'language' : name}</legend>
          {choices[name].map((choice) => (
            <label key={choice}>
              <input
                type="checkbox"
                name={name}
                value={choice}
                checked={query.chosen[name].includes(choice)}
              />
              <span lang={name === 'locale' ? choice : undefined}>{labelOf(choice)}</span>
            </label>
          ))}
        </fieldset>
      ))}
    </form>
  );
}

type FigureProps = { screen: GalleryScreen; look: Look; width: string };

/** One screen in one look. */
function Figure({ screen, look, width }: FigureProps): JSX.Element {
  const address = singleAddress(screen.name, look);
  return (
    <figure class="look" data-width={width} data-theme={look.theme}>
      {coversPage(screen) ? (
        <p>Covers the whole page: open it alone.</p>
      ) : (
        <Screen screen={screen} look={look} />
      )}
      <figcaption>
        <a href={address}>
          {look.theme}, {labelOf(`${look.locale}`)}, {width} px
        </a>
      </figcaption>
    </figure>
  );
}

/** The question before leaving covers the page that it is on. */
const coversPage = ({ name }: GalleryScreen): boolean => name.endsWith('-leaving');

/** Renders a screen when it comes near the viewport. */
function Screen({ screen, look }: Omit<FigureProps, 'width'>): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let shown = Promise.resolve((): void => {});
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        shown = showScreen(element, screen, look);
      },
      { rootMargin: '800px' },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      shown.then((remove) => remove());
    };
  }, [screen, look]);
  return <div ref={host} />;
}
