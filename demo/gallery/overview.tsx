import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type ChoiceName, choices, lookOf, type Query, singleAddress } from './query.ts';
import { type GalleryScreen, screens } from './screens.ts';
import { type Look, showScreen } from './show-screen.ts';

/** All matching screens side by side, with filters above them. */
export function Overview({ query }: { query: Query }): JSX.Element {
  const { theme, locale, width, density } = query.chosen;
  const shown = screens.filter(({ name }) => name.startsWith(query.show));
  const looks = theme.flatMap((t) => locale.flatMap((l) => density.map((d) => lookOf(t, l, d))));
  return (
    <>
      <header>
        <h1>Gallery</h1>
        <p>
          Every screen of the checkout: {shown.length} of {screens.length}, each in{' '}
          {looks.length * width.length} {looks.length * width.length === 1 ? 'look' : 'looks'}.
        </p>
        <Filters query={query} />
      </header>
      {shown.map((screen) => (
        <section key={screen.name}>
          <h2>{screen.name}</h2>
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

function Filters({ query }: { query: Query }): JSX.Element {
  const families = [...new Set(screens.map(({ name }) => name.replace(/-.*/, '')))];
  return (
    <form onChange={({ currentTarget }) => currentTarget.submit()}>
      <label>
        State{' '}
        <select name="show">
          <option value="">all</option>
          {families.map((name) => (
            <option key={name} selected={name === query.show}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {(Object.keys(choices) as ChoiceName[]).map((name) => (
        <fieldset key={name}>
          <legend>{name}</legend>
          {choices[name].map((choice) => (
            <label key={choice}>
              <input
                type="checkbox"
                name={name}
                value={choice}
                checked={query.chosen[name].includes(choice)}
              />
              {choice}
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
          {look.theme}, {look.locale}, {width} px
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
