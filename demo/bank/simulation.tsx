import type { ClockReading } from 'transfer-checkout/sandbox';
import { policyLabels, waitsUntil } from '../../server-kit/tools/sandbox/pages/format/records.ts';
import { formatOffset, isMoved } from '../../server-kit/tools/sandbox/pages/format/time.ts';
import type { Bank } from './model/bank-model.ts';

/** What no bank app has: another time, and other rules for the account. */
export function Simulation({ bank }: { bank: Bank }) {
  const account = bank.requested.value;
  const clock = bank.clock.value;
  if (account === undefined || clock === undefined) return null;
  return (
    <details class="bank-simulation">
      <summary>Be late, or pay another amount</summary>
      <p class="bank-hint" data-part="clock" role="status">
        {describeClock(clock)}
      </p>
      <div class="bank-buttons">
        <button type="button" data-action="later" onClick={() => bank.advanceClock(600)}>
          10 minutes later
        </button>
        {waitsUntil(account) && (
          <button type="button" data-action="run-out" onClick={bank.advanceToExpiry}>
            Until the time has run out
          </button>
        )}
        {isMoved(clock.offsetSeconds) && (
          <button type="button" data-action="real-time" onClick={bank.resetClock}>
            Back to now
          </button>
        )}
      </div>
      <label class="bank-policy">
        Amounts that the account accepts
        <select
          data-action="policy"
          value={account.acceptedAmountPolicy}
          onChange={({ currentTarget }) => bank.setPolicy(currentTarget.value)}
        >
          {Object.entries(policyLabels).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </details>
  );
}

const describeClock = ({ offsetSeconds, frozen }: ClockReading): string => {
  const offset = isMoved(offsetSeconds) ? formatOffset(offsetSeconds) : 'on real time';
  return `The clock of this simulation is ${offset}${frozen ? ', and frozen' : ''}.`;
};
