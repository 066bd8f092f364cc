import type { ClockReading } from 'transfer-checkout/sandbox';
import { waitsUntil } from '../../server-kit/tools/sandbox/pages/format/records.ts';
import { formatOffset, isMoved } from '../../server-kit/tools/sandbox/pages/format/time.ts';
import type { Bank } from './model/bank-model.ts';

/** What no bank app has: another time. */
export function Simulation({ bank }: { bank: Bank }) {
  const account = bank.requested.value;
  const clock = bank.clock.value;
  if (account === undefined || clock === undefined) return null;
  return (
    <details class="bank-simulation">
      <summary>Move the time</summary>
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
    </details>
  );
}

const describeClock = ({ offsetSeconds, frozen }: ClockReading): string => {
  const offset = isMoved(offsetSeconds) ? formatOffset(offsetSeconds) : 'on real time';
  return `The clock of this simulation is ${offset}${frozen ? ', and frozen' : ''}.`;
};
