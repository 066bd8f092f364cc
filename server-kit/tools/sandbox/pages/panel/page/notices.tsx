import { usePanel } from '../model/panel-context.ts';
import { hrefOf } from '../model/route.ts';
import { describeDelivery } from '../sections/integration/callback-delivery.tsx';

/** Reminds in every section of what makes the sandbox fail on purpose. */
export function Notices() {
  const { data } = usePanel();
  const faults = data.faults.latest.value?.length ?? 0;
  const delivery = data.delivery.latest.value;
  const disturbed = delivery === undefined ? [] : describeDelivery(delivery);
  if (faults === 0 && disturbed.length === 0) return null;
  return (
    <section class="notices" aria-label="Active faults and disturbances">
      <ul>
        {faults > 0 && (
          <li data-notice="faults">
            <a href={hrefOf('faults')}>
              {faults === 1 ? '1 fault is active' : `${faults} faults are active`}
            </a>
          </li>
        )}
        {disturbed.length > 0 && (
          <li data-notice="delivery">
            <a href={hrefOf('callbacks')}>Callbacks: {disturbed.join(', ')}</a>
          </li>
        )}
      </ul>
    </section>
  );
}
