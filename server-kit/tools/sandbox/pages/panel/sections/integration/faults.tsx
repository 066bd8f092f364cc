import type { Fault } from 'transfer-checkout/sandbox';
import { formatProbability } from '../../../format/text.ts';
import { Form } from '../../forms/form.tsx';
import { usePanel } from '../../model/panel-context.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Section } from '../../parts/section.tsx';
import { faultFields, readFault } from './fault-form.ts';

export function Faults() {
  const { act, calls, data } = usePanel();
  const faults = data.faults.latest.value ?? [];
  return (
    <Section id="faults" intro="Make the service fail, and see how your server handles it.">
      <Form
        name="add-fault"
        keepsValues
        fields={faultFields}
        submit="Add fault"
        run={(values) =>
          act(
            () => calls.addFault(readFault(values)),
            (fault) => `Added: ${describeFault(fault)}.`,
          )
        }
      />
      {data.faults.problem.value && <p class="problem">{data.faults.problem.value}</p>}
      {faults.length === 0 ? (
        <div class="empty">
          <h3>No fault is active</h3>
          <p>All requests get normal responses.</p>
        </div>
      ) : (
        <ul class="records" aria-label="Faults">
          {faults.map((fault) => (
            <FaultRow key={fault.id} fault={fault} />
          ))}
        </ul>
      )}
      {faults.length > 1 && (
        <ActionButton action="remove-faults" run={() => act(calls.removeFaults, 'Removed all faults.')}>
          Remove all {faults.length}
        </ActionButton>
      )}
    </Section>
  );
}

/** `503 for payments.verify, 2 times more` */
function describeFault({ operation, status, times, probability, phase, latencyMs }: Fault): string {
  return [
    `${status} for ${operation === '*' ? 'every operation' : operation}`,
    probability !== null && `in ${formatProbability(probability)} of requests`,
    times !== null && (times === 1 ? 'once more' : `${times} times more`),
    latencyMs && `after ${latencyMs} ms`,
    phase === 'after' && 'after the work was done',
  ]
    .filter(Boolean)
    .join(', ');
}

function FaultRow({ fault }: { fault: Fault }) {
  const { act, calls } = usePanel();
  const text = describeFault(fault);
  return (
    <li class="record" data-id={fault.id}>
      <div class="record-head">
        <p class="record-text">{text}</p>
        <div class="record-beside">
          <ActionButton
            action="remove-fault"
            label={`Remove: ${text}`}
            run={() => act(() => calls.removeFault(fault.id), `Removed: ${text}.`)}
          >
            Remove
          </ActionButton>
        </div>
      </div>
    </li>
  );
}
