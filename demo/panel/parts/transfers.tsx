import { formatMoney } from '../../money.ts';
import type { Transfer } from '../records.ts';
import { Badge } from './badge.tsx';
import { Moment } from './moment.tsx';

/** The money that was sent to an account, oldest first, and what the bank did with it. */
export function Transfers({ transfers, currency }: { transfers: readonly Transfer[]; currency: string }) {
  return (
    <section class="part">
      <h3>Transfers</h3>
      {transfers.length === 0 && <p class="quiet">No money has been sent so far.</p>}
      <ol class="lines">
        {transfers.map(({ id, status, amount, reason, createdAt }) => (
          <li key={id} data-transfer={status}>
            <strong class="amount">{formatMoney({ value: amount, currency })}</strong>
            <Badge status={status} />
            <Moment at={createdAt} />
            {reason && <span class="quiet reason">{reason}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
