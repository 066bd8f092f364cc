import type { ComponentChildren, JSX } from 'preact';
import type { Messages } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';

export type RowProps = {
  /** The key of the row's label, and its name in styles and tests. */
  readonly field: keyof Messages;
  /** The value to show. An empty value hides the row. */
  readonly shown: string;
  /** What a screen reader reads instead. */
  readonly spoken?: string | undefined;
  /** `shown` is a number with spaces between its groups. */
  readonly isGrouped?: boolean;
  /** Nobody should pay with this value any more: it is struck through, and cannot be selected. */
  readonly isClosed?: boolean | undefined;
  readonly children?: ComponentChildren;
};

/**
 * A row of the details: a label, a value, and a copy button as its child. Styles decide where an amount breaks, so its space is an
 * ordinary one.
 */
export function Row({ field, shown, spoken, isGrouped, isClosed, children }: RowProps): JSX.Element | null {
  const { text } = useCheckout().translator.value;
  if (!shown) return null;
  const value = isGrouped ? toGroups(shown) : shown.replace('\u00a0', ' ');
  return (
    <div class={`row ${field}`} part={`row ${field}`}>
      <dt>{text(field)}</dt>
      <dd>
        {spoken && isClosed && <span class="spoken">{text('expiredWarning')}</span>}
        {spoken && <span class="spoken">{spoken}</span>}
        <bdi data-field={field} dir={isGrouped ? 'ltr' : 'auto'} aria-hidden={!!spoken}>
          {isClosed ? <del>{value}</del> : value}
        </bdi>
        {children}
      </dd>
    </div>
  );
}

/** Styles separate the groups, not spaces, so that a selected number contains only its digits. */
const toGroups = (shown: string): JSX.Element[] => shown.split(' ').map((group) => <span>{group}</span>);
