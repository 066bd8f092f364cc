import type { JSX } from 'preact';
import type { Messages } from '../../i18n/messages.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { Value } from './copying.tsx';
import { notTranslated, Text } from './text.tsx';

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
  /** What the copy button copies. Without it there is no button. */
  readonly copyValue?: string | undefined;
};

/** A row of the details: a label, and a value. Styles decide where an amount breaks, so its space is an ordinary one. */
export function Row({ field, shown, spoken, isGrouped, isClosed, copyValue }: RowProps): JSX.Element | null {
  const { text } = useCheckout().translator.value;
  if (!shown) return null;
  // Styles separate the groups, not spaces, so that a selected number contains only its digits.
  const parts = isGrouped ? shown.split(' ') : [shown.replace('\u00a0', ' ')];
  const value = parts.map((part) => <Text>{part}</Text>);
  return (
    <div class={`row ${field}`} part={`row ${field}`}>
      <dt>
        <Text>{text(field)}</Text>
      </dt>
      <dd>
        {spoken && isClosed && <Text class="spoken">{text('expiredWarning')}</Text>}
        {spoken && (
          <Text class="spoken" {...notTranslated}>
            {spoken}
          </Text>
        )}
        <Value field={field} dir={isGrouped ? 'ltr' : 'auto'} isHidden={!!spoken} copyValue={copyValue}>
          {isClosed ? <del>{value}</del> : value}
        </Value>
      </dd>
    </div>
  );
}
