import type { ComponentChildren, JSX } from 'preact';
import type { Messages } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';

export type RowProps = {
  /** The key of the row's label, and its name in styles and tests. */
  readonly field: keyof Messages;
  /** The value to show. An empty value hides the row. */
  readonly shown: string;
  /** An account number to be read digit by digit; `shown` has spaces between its groups. */
  readonly spoken?: string;
  readonly children?: ComponentChildren;
};

/**
 * A row of the details: a label, a value, and a copy button as its child. Styles decide where an amount breaks, so its space is an
 * ordinary one.
 */
export function Row({ field, shown, spoken, children }: RowProps): JSX.Element | null {
  const { text } = useCheckout().translator.value;
  if (!shown) return null;
  return (
    <div class={`row ${field}`} part={`row ${field}`}>
      <dt>{text(field)}</dt>
      <dd>
        {spoken && <span class="spoken">{spoken.split('').join(' ')}</span>}
        <bdi data-field={field} dir={spoken ? 'ltr' : 'auto'} aria-hidden={!!spoken}>
          {spoken && spoken !== shown ? toGroups(shown) : shown.replace('\u00a0', ' ')}
        </bdi>
        {children}
      </dd>
    </div>
  );
}

/** Styles separate the groups, not spaces, so that a selected number contains only its digits. */
const toGroups = (shown: string): JSX.Element[] => shown.split(' ').map((group) => <span>{group}</span>);
