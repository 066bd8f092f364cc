import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { PaymentView } from '../../contract/index.ts';
import { copyLine } from '../announcer/lines.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { Card, Heading, TestMode } from '../parts/card.tsx';
import { AccountDetails } from '../parts/details.tsx';
import { Row } from '../parts/row.tsx';

type DedicatedAccountProps = Pick<PaymentView, 'account' | 'liveMode'> & { readonly currency: string };

/** The details of a dedicated account, without an amount or a time limit. */
export function DedicatedAccount({ account, currency, liveMode }: DedicatedAccountProps): JSX.Element {
  const context = useCheckout();
  const card = useRef<HTMLDivElement>(null);
  const { text } = context.translator.value;
  const announcement = (
    <p class="spoken" role="status">
      {copyLine(context)}
    </p>
  );
  return (
    <Card card={card} kind="dedicated" corner={!liveMode && <TestMode />} overlay={announcement}>
      <Heading title={text('dedicatedTitle')} lead={text('dedicatedLead')} />
      <AccountDetails account={account}>
        <Row field="currency" shown={currency} />
      </AccountDetails>
    </Card>
  );
}
