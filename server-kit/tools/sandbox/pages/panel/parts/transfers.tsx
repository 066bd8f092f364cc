import type { ControlTransfer } from 'transfer-checkout/sandbox';
import { formatMoney } from '../../format/money.ts';
import { Badge } from './badge.tsx';
import { Part } from './section.tsx';
import { Timestamp } from './time.tsx';

/** The transfers to an account, oldest first. */
export function Transfers({ transfers }: { transfers: readonly ControlTransfer[] }) {
  return (
    <Part title="Transfers">
      {transfers.length === 0 && <p class="quiet">No money has been sent yet.</p>}
      <ol class="lines">
        {transfers.map((transfer) => (
          <li key={transfer.id} data-transfer={transfer.status}>
            <strong class="amount">
              {formatMoney({ value: transfer.amount, currency: transfer.currency })}
            </strong>
            <Badge status={transfer.status} />
            <Timestamp at={transfer.createdAt} />
            {transfer.status === 'returned' && <span class="quiet reason">{transfer.reason}</span>}
          </li>
        ))}
      </ol>
    </Part>
  );
}
