import type { ComponentChildren, JSX } from 'preact';
import type { Messages } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';

export type RowProps = {
  /** Its label by key, and its name for styles and tests. */
  readonly field: keyof Messages;
  /** Nothing stands there where there is nothing to show. */
  readonly shown: string;
  /** An account number: read digit by digit, which no screen reader does by itself. What is shown of it has spaces between its groups. */
  readonly spoken?: string;
  readonly children?: ComponentChildren;
};

/** One line of the details: what it is, what it says, and what can be done with it. */
export function Row({ field, shown, spoken, children }: RowProps): JSX.Element | null {
  const { text } = useCheckout().translator.value;
  if (!shown) return null;
  return (
    <div class={`row ${field}`} part={`row ${field}`}>
      <dt>{text(field)}</dt>
      <dd>
        {spoken && <span class="spoken">{spoken.split('').join(' ')}</span>}
        <bdi data-field={field} dir={spoken ? 'ltr' : 'auto'} aria-hidden={!!spoken}>
          {spoken && spoken !== shown ? toGroups(shown) : shown}
        </bdi>
        {children}
      </dd>
    </div>
  );
}

/** Set apart by styles, without spaces: who selects the number takes its digits alone. */
const toGroups = (shown: string): JSX.Element[] => shown.split(' ').map((group) => <span>{group}</span>);
