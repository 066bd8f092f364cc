import type { h, JSX } from 'preact';
import type { DedicatedAccountView, Translate } from '../../model/index.ts';
import type { Card, Heading, TestMode } from '../parts/card.tsx';
import type { AccountDetails } from '../parts/details.tsx';
import type { Row } from '../parts/row.tsx';

/** Passed in, because a lazy file that imported them would bring a second copy of the widget. */
export type DedicatedAccountTools = {
  readonly h: typeof h;
  readonly AccountDetails: typeof AccountDetails;
  readonly Card: typeof Card;
  readonly Heading: typeof Heading;
  readonly Row: typeof Row;
  readonly TestMode: typeof TestMode;
};

export type DedicatedAccountProps = {
  readonly view: DedicatedAccountView;
  readonly text: Translate;
  /** The line about the last copy, for screen readers. */
  readonly announcement: string;
};

/** Returns the screen of a dedicated account: its details, without an amount or a time limit. */
export function dedicatedAccount(
  { h, AccountDetails, Card, Heading, Row, TestMode }: DedicatedAccountTools,
  { view: { account, currency, liveMode }, text, announcement }: DedicatedAccountProps,
): JSX.Element {
  const corner = !liveMode && h(TestMode, null);
  const overlay = h('p', { class: 'spoken', role: 'status' }, announcement);
  return h(
    Card,
    { kind: ' dedicated', corner, overlay } as never,
    h(Heading, { title: text('dedicatedTitle'), lead: text('dedicatedLead') }),
    h(AccountDetails, { account } as never, h(Row, { field: 'currency', shown: currency })),
  );
}
