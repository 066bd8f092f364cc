import type { h, JSX } from 'preact';
import type { DedicatedAccountView, Translate } from '../../model/index.ts';
import type { Card } from '../parts/card.tsx';
import type { CopyButton } from '../parts/copy-button.tsx';
import type { TestMode } from '../parts/marks.tsx';
import type { Row } from '../parts/row.tsx';

/** What the widget lends to this part, which imports nothing of it. */
export type DedicatedAccountTools = {
  readonly h: typeof h;
  readonly Card: typeof Card;
  readonly CopyButton: typeof CopyButton;
  readonly Row: typeof Row;
  readonly TestMode: typeof TestMode;
};

export type DedicatedAccountProps = {
  readonly view: DedicatedAccountView;
  readonly text: Translate;
  /** The account number in groups. */
  readonly grouped: string;
  /** What was copied last, for screen readers. */
  readonly copied: string;
  readonly onPress: (event: Event) => void;
};

/** An account that stays: no amount, no time, and nothing to wait for. */
export function dedicatedAccount(
  { h, Card, CopyButton, Row, TestMode }: DedicatedAccountTools,
  { view, text, grouped, copied, onPress }: DedicatedAccountProps,
): JSX.Element {
  const { account, currency, liveMode } = view;
  const { number } = account;
  return h(
    Card,
    {
      kind: ' dedicated',
      corner: !liveMode && h(TestMode, null),
      above: h('p', { class: 'spoken', role: 'status' }, copied),
    } as never,
    h(
      'div',
      { class: 'top' },
      h('div', null, h('h2', { part: 'title' }, text('dedicatedTitle')), h('p', null, text('dedicatedLead'))),
    ),
    h(
      'dl',
      { onClick: onPress },
      h(
        Row,
        { field: 'accountNumber', shown: grouped, spoken: number },
        h(CopyButton, { field: 'accountNumber', value: number }),
      ),
      h(Row, { field: 'bankName', shown: account.bankName }),
      h(Row, { field: 'accountName', shown: account.name }),
      h(Row, { field: 'currency', shown: currency }),
    ),
  );
}
