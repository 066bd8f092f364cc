import { useId } from 'preact/hooks';
import type { ActivityModel } from './activity-model.ts';
import { ActivityRow } from './activity-row.tsx';

/** The developer panel: the signed requests and callbacks of the order, and the handlers of the shop that ran. */
export function ActivityPanel({ model }: { model: ActivityModel }) {
  const bodyId = useId();
  const isOpen = model.isOpen.value;
  return (
    <>
      <h2>
        <button
          type="button"
          class="activity-toggle"
          data-action="activity-toggle"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={model.toggle}
        >
          What the shop’s server is told
        </button>
      </h2>
      <div id={bodyId} class="activity-body" hidden={!isOpen}>
        {isOpen && <Timeline model={model} />}
      </div>
    </>
  );
}

function Timeline({ model: { rows, connection } }: { model: ActivityModel }) {
  return (
    <>
      <p class="activity-about">
        The server gets an account from the payments service, is called back when money moves, and verifies
        the payment. Only then does it run the shop’s handler.
      </p>
      {connection.value === 'lost' && (
        <p role="status" class="activity-lost">
          No response. The panel keeps trying.
        </p>
      )}
      {connection.value === 'live' && rows.value.length === 0 && (
        <p class="activity-empty">Nothing yet. It starts when you press “Pay by bank transfer”.</p>
      )}
      <ol class="activity-rows">
        {rows.value.map((row) => (
          <ActivityRow key={row.activity.key} row={row} />
        ))}
      </ol>
    </>
  );
}
