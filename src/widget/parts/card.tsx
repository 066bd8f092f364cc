import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { languageName, offeredLanguages } from '../../i18n/choose-language.ts';
import { directionOf } from '../../i18n/translator.ts';
import type { Settings } from '../../options/options.ts';
import { useCheckout } from '../context.tsx';
import { notTranslated, Text } from './text.tsx';

export type CardProps = {
  readonly card: RefObject<HTMLDivElement | null>;
  readonly kind?: 'dedicated';
  readonly state?: string;
  /** Shown at the end of the first line, after the shop's name. */
  readonly corner?: ComponentChildren;
  /** Makes the content unreachable, under a dialog. */
  readonly isInert?: boolean;
  /** Shown after the content, and not part of it. */
  readonly overlay?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** The card around everything: with the merchant's styles, the language, and the shop's name at the top. */
export function Card({
  card,
  kind,
  state,
  corner,
  isInert = false,
  overlay,
  children,
}: CardProps): JSX.Element {
  const { model, translator, viewState } = useCheckout();
  const { theme, density, variables } = model.settings.value;
  const { locale } = translator.value;
  useVariables(card, variables);
  // A shopper who is using the card does not want the page to leave it.
  const stay = ({ target }: Event): void => {
    if (!(target as Element).closest('[data-action="back"]')) viewState.returnRedirect.cancelReturn();
  };
  return (
    // biome-ignore lint/a11y: only observes
    <div
      class={kind ? `card ${kind}` : 'card'}
      part={state ? `card ${state}` : 'card'}
      data-state={state}
      data-theme={theme}
      data-density={density}
      ref={card}
      lang={locale}
      dir={directionOf(locale)}
      onClick={stay}
      onKeyDown={stay}
    >
      <div class="content" inert={isInert}>
        <div class="head">
          <ShopName />
          {corner}
        </div>
        {children}
      </div>
      {overlay}
    </div>
  );
}

const noVariables = {};

/** Sets custom properties by script: a strict content security policy forbids a server-rendered `style` attribute. */
function useVariables(card: CardProps['card'], variables: Settings['variables'] = noVariables): void {
  useLayoutEffect(() => {
    const style = card.current?.style;
    for (const [name, value] of Object.entries(variables)) style?.setProperty(name, value);
    return () => {
      for (const name of Object.keys(variables)) style?.removeProperty(name);
    };
  }, [variables]);
}

/** The shop's logo, and its name unless the logo's `alt` replaces it. */
function ShopName(): JSX.Element {
  const { logo, merchantName } = useCheckout().model.settings.value;
  return (
    <>
      {logo && <img class="logo" part="logo" height="28" src={logo.src} alt={logo.alt} />}
      {!logo?.alt && (
        <b>
          <bdi {...notTranslated}>
            <Text>{merchantName ?? ''}</Text>
          </bdi>
        </b>
      )}
    </>
  );
}

type HeadingProps = {
  readonly icon?: ComponentChildren;
  readonly title: string;
  readonly lead: ComponentChildren;
  /** -1 for a title that takes the focus. */
  readonly tabIndex?: number;
};

export function Heading({ icon, title, lead, tabIndex }: HeadingProps): JSX.Element {
  return (
    <div class="top">
      {icon}
      <div>
        <Text as="h2" part="title" tabIndex={tabIndex}>
          {title}
        </Text>
        {lead && <p>{lead}</p>}
      </div>
    </div>
  );
}

/** A badge for payments in test mode, where no real money moves. */
export function TestMode(): JSX.Element {
  const { text } = useCheckout().translator.value;
  return (
    <span class="test" part="test-mode">
      <Text>{text('testMode')}</Text>
    </span>
  );
}

export function CloseButton({ onClose }: { onClose: () => void }): JSX.Element {
  const { text } = useCheckout().translator.value;
  return (
    <button
      type="button"
      class="close"
      part="close"
      data-action="close"
      aria-label={text('close') || 'Close'}
      onClick={onClose}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M5 5l14 14M19 5 5 19" />
      </svg>
    </button>
  );
}

/** Lets the shopper choose among the languages that the merchant allows; nothing where there is no choice. */
export function LanguageSwitch(): JSX.Element | null {
  const { model, translator } = useCheckout();
  const { locale, text } = translator.value;
  const offered = offeredLanguages(model.settings.value);
  const { selectLanguage } = model;
  if (!selectLanguage || offered.length < 2) return null;
  // English is shown where no allowed language fits the reader, or none could be loaded.
  const tags = offered.includes(locale) ? offered : [locale, ...offered];
  return (
    <select
      class="language"
      part="language"
      {...notTranslated}
      aria-label={text('language')}
      value={locale}
      onChange={({ currentTarget }) => selectLanguage(currentTarget.value)}
    >
      {tags.map((tag) => (
        <option key={tag} value={tag} lang={tag}>
          {languageName(tag)}
        </option>
      ))}
    </select>
  );
}
