import type { JSX } from 'preact';
import { formatMoney, plainAmount } from '../model/index.ts';
import { CopyButton } from './copy-button.tsx';
import { Row } from './row.tsx';
import type { TransferScreenProps } from './screen.ts';
import { viewToPay } from './view-to-pay.ts';

/** What is still to be sent, when a part has arrived. */
export function Missing(screen: TransferScreenProps): JSX.Element {
  const { amount } = viewToPay(screen.state.payment);
  return (
    <Row {...screen} field="missing" shown={formatMoney(amount, screen.speech.locale)}>
      <CopyButton {...screen} field="missing" value={plainAmount(amount)} />
    </Row>
  );
}
