import { BackToRealTime, describeClock } from './clock-bar.tsx';
import { usePanel } from './panel-context.ts';
import { isMoved } from './panel-text.ts';
import { addressOf } from './place.ts';
import { describeDelivery } from './sections/callback-delivery.tsx';

/** What makes the sandbox behave unlike a service on a good day. Said on every section, or it is forgotten. */
export function Notices() {
  const { lists } = usePanel();
  const clock = lists.clock.value.value;
  const faults = lists.faults.value.value?.length ?? 0;
  const delivery = lists.delivery.value.value;
  const disturbed = delivery === undefined ? [] : describeDelivery(delivery);
  const isClockMoved = clock !== undefined && (clock.frozen || isMoved(clock.offsetSeconds));
  if (!isClockMoved && faults === 0 && disturbed.length === 0) return null;
  return (
    <ul class="notices" aria-label="What is out of the ordinary">
      {faults > 0 && (
        <li data-notice="faults">
          <a href={addressOf('faults')}>
            {faults === 1 ? '1 fault is active' : `${faults} faults are active`}
          </a>
        </li>
      )}
      {disturbed.length > 0 && (
        <li data-notice="delivery">
          <a href={addressOf('callbacks')}>Callbacks: {disturbed.join(', ')}</a>
        </li>
      )}
      {isClockMoved && (
        <li data-notice="clock">
          Clock: {describeClock(clock)} <BackToRealTime />
        </li>
      )}
    </ul>
  );
}
