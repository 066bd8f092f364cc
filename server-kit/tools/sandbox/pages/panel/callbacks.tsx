import type { ControlCallback, DeliverySwitch } from 'transfer-checkout/sandbox';
import { formatProbability, formatSignature } from '../format/text.ts';
import { usePanel } from './model.ts';
import { ActionButton, Badge, CodeBlock, Facts, HttpBadge, Part, Timestamp } from './parts.tsx';
import { RecordList } from './record-list.tsx';
import { hrefOf } from './route.ts';

type CallbackProps = { callback: ControlCallback };

export function Callbacks() {
  const { data } = usePanel();
  return (
    <RecordList
      section="callbacks"
      intro="What the sandbox sends to your server, at the callbackUrl of each record."
      records={data.callbacks}
      idOf={({ id }) => id}
      filterFields={({ id, event, recordId, reference, url, state }) => [
        ...[id, event, recordId, reference, url, state],
      ]}
      filterBy="event, reference, state"
      row={(callback) => <CallbackRow callback={callback} />}
      rowActions={(callback) => <Resend callback={callback} />}
      details={(callback) => <CallbackDetails callback={callback} />}
      empty={
        <>
          <h3>No callback yet</h3>
          <p>
            Create a payment with a <code>callbackUrl</code> of your server, and change the payment: send
            money to it, for example.
          </p>
        </>
      }
    >
      <DeliverySwitchButton />
    </RecordList>
  );
}

function CallbackRow({ callback }: CallbackProps) {
  const { event, state, reference, recordId, attempts, createdAt } = callback;
  const last = attempts.at(-1);
  return (
    <>
      <strong class="name">{event}</strong>
      <Badge status={state} />
      <code>{reference ?? recordId}</code>
      <span class="quiet">
        {attempts.length > 1 && `${attempts.length} attempts, last: `}
        {last && (last.status ?? last.error)}
      </span>
      <span class="when">
        <Timestamp at={createdAt} />
      </span>
    </>
  );
}

function Resend({ callback: { id, event } }: CallbackProps) {
  const { act, calls } = usePanel();
  const resend = () => act(() => calls.resendCallback(id), `Sending ${event} again.`);
  return (
    <ActionButton action="resend" label={`Resend ${event} (${id})`} run={resend}>
      Resend
    </ActionButton>
  );
}

function CallbackDetails({ callback }: CallbackProps) {
  const { id, record, recordId, reference, url, body, nextAttemptAt, attempts } = callback;
  const about = reference ?? recordId;
  return (
    <>
      <Facts
        facts={[
          { name: 'To', value: <code>{url}</code> },
          {
            name: 'About',
            value: record === 'payment' ? <a href={hrefOf('payments', about)}>{about}</a> : about,
          },
          { name: 'Next attempt', value: nextAttemptAt && <Timestamp at={nextAttemptAt} /> },
          { name: 'Id', value: <code>{id}</code> },
        ]}
      />
      <Part title="Attempts">
        {attempts.length === 0 && <p class="quiet">None yet.</p>}
        <ol class="attempts">
          {attempts.map(({ at, status, error, durationMs, reason, signature, timestamp }, index) => (
            <li key={index}>
              <p class="line">
                <HttpBadge status={status ?? 'no response'} />
                <Timestamp at={at} />
                <span class="quiet">
                  {reason} · {durationMs} ms
                </span>
                {error && <span class="problem">{error}</span>}
              </p>
              <details>
                <summary>Headers</summary>
                <CodeBlock name="signature headers" text={formatSignature(signature, timestamp)} />
              </details>
            </li>
          ))}
        </ol>
      </Part>
      <CodeBlock name="body" text={body} />
    </>
  );
}

/** Describes the disturbances in force; empty if there are none. */
export function describeDelivery({ drop, double, delaySeconds, reorder }: DeliverySwitch): readonly string[] {
  return [
    ...(drop > 0 ? [`${formatProbability(drop)} dropped`] : []),
    ...(double > 0 ? [`${formatProbability(double)} sent twice`] : []),
    ...(delaySeconds > 0 ? [`delayed by ${delaySeconds} s`] : []),
    ...(reorder ? ['out of order'] : []),
  ];
}

/** Stops the delivery, and brings it back to normal. */
function DeliverySwitchButton() {
  const { act, calls, data } = usePanel();
  const delivery = data.delivery.value;
  if (delivery === undefined) return null;
  const isDisturbed = describeDelivery(delivery).length > 0;
  const wanted = { drop: isDisturbed ? 0 : 1, double: 0, delaySeconds: 0, reorder: false };
  return (
    <ActionButton
      action="delivery"
      run={() =>
        act(
          () => calls.setCallbackDelivery(wanted),
          (now) => `Callbacks: ${describeDelivery(now).join(', ') || 'delivered normally'}.`,
        )
      }
    >
      {isDisturbed ? 'Deliver callbacks normally' : 'Drop new callbacks'}
    </ActionButton>
  );
}
