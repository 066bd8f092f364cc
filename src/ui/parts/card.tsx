import type { ComponentChildren, JSX, Ref } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { directionOf } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { ShopName } from './shop-name.tsx';

export type CardProps = {
  readonly kind?: string;
  readonly state?: string;
  /** Stands at the end of the first line, after the shop's name. */
  readonly corner?: ComponentChildren;
  /** While a question lies above it, nothing of it can be reached. */
  readonly isInert?: boolean;
  /** Stands on the card, and not in it. */
  readonly above?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** The card around everything: in the merchant's colours, in the language that is spoken, with the shop's name at its top. */
export function Card({ kind = '', state, corner, isInert = false, above, children }: CardProps): JSX.Element {
  const { settings, translator } = useCheckout();
  const { theme, variables } = settings.value;
  const { locale } = translator.value;
  return (
    <div
      class={`card${kind}`}
      part="card"
      data-state={state}
      data-theme={theme}
      ref={useVariables(variables)}
      lang={locale}
      dir={directionOf(locale)}
    >
      <div class="all" inert={isInert}>
        <div class="head">
          <ShopName />
          {corner}
        </div>
        {children}
      </div>
      {above}
    </div>
  );
}

/**
 * Sets custom properties on an element. Not by the `style` attribute: a server would write that, and a strict content security policy
 * forbids it.
 */
function useVariables(variables: { readonly [name: string]: string } = {}): Ref<HTMLDivElement> {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const style = card.current?.style;
    for (const [name, value] of Object.entries(variables)) style?.setProperty(name, value);
    return () => {
      for (const name of Object.keys(variables)) style?.removeProperty(name);
    };
  }, [variables]);
  return card;
}
