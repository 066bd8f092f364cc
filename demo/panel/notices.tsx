import { usePanel } from './panel-context.ts';
import { addressOf } from './place.ts';
import { describeDelivery } from './sections/callback-delivery.tsx';

/** What makes the sandbox fail on purpose. Said on every section, or it is forgotten. */
export function Notices() {
  const { lists } = usePanel();
  const faults = lists.faults.value.value?.length ?? 0;
  const delivery = lists.delivery.value.value;
  const disturbed = delivery === undefined ? [] : describeDelivery(delivery);
  if (faults === 0 && disturbed.length === 0) return null;
  return (
    <section class="notices" aria-label="What is out of the ordinary">
      <ul>
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
      </ul>
    </section>
  );
}
