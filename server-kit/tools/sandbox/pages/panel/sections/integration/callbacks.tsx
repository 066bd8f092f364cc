import type { ControlCallback, ControlCallbackAttempt } from 'transfer-checkout/sandbox';
import { formatSignature } from '../../../format/text.ts';
import { usePanel } from '../../model/panel-context.ts';
import { hrefOf } from '../../model/route.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge, HttpBadge } from '../../parts/badge.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Facts } from '../../parts/facts.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Part } from '../../parts/section.tsx';
import { Timestamp, When } from '../../parts/time.tsx';
import { CallbackDeliverySwitch } from './callback-delivery.tsx';

export function Callbacks() {
  const { data } = usePanel();
  return (
    <RecordList
      section="callbacks"
      intro="What the sandbox sends to your server, at the callbackUrl of each record."
      polled={data.callbacks}
      idOf={({ id }) => id}
      filterFields={({ id, event, record, recordId, reference, url, state }) => [
        id,
        event,
        record,
        recordId,
        reference,
        url,
        state,
      ]}
      filterBy="event, reference, state"
      row={(callback) => <CallbackRow callback={callback} />}
      rowActions={(callback) => <Resend callback={callback} />}
      details={(callback) => <CallbackDetails callback={callback} />}
      empty={
        <>
          <h3>No callback yet</h3>
          <p>
            Initiate a payment with a <code>callbackUrl</code> of your server, and change the payment: send
            money to it, for example.
          </p>
        </>
      }
    >
      <CallbackDeliverySwitch />
    </RecordList>
  );
}

function CallbackRow({ callback }: { callback: ControlCallback }) {
  const { event, state, reference, recordId, attempts, createdAt } = callback;
  const last = attempts.at(-1);
  return (
    <>
      <strong class="name">{event}</strong>
      <Badge status={state} />
      <code>{reference ?? recordId}</code>
      <span class="quiet">
        {attempts.length > 1 && `${attempts.length} attempts, last: `}
        {last && (last.status ?? last.error ?? 'in progress')}
      </span>
      <When at={createdAt} />
    </>
  );
}

function Resend({ callback: { id, event } }: { callback: ControlCallback }) {
  const { act, calls } = usePanel();
  const resend = () => act(() => calls.resendCallback(id), `Sending ${event} again.`);
  return (
    <div class="record-beside">
      <ActionButton action="resend" label={`Resend ${event} (${id})`} run={resend}>
        Resend
      </ActionButton>
    </div>
  );
}

/** Returns the panel's address of the record that a callback is about. */
function useRecordHref({ record, recordId, reference }: ControlCallback): string | undefined {
  const { data } = usePanel();
  const id = recordId ?? '';
  switch (record) {
    case 'payment':
      return hrefOf('payments', reference ?? id);
    case 'payout':
      return hrefOf('payouts', id);
    case 'invoice':
      return hrefOf('invoices', id);
    case 'dedicated_account': {
      // An account is shown with its request.
      const requests = data['dedicated-accounts'].latest.value ?? [];
      const request = requests.find(({ account }) => account?.id === id);
      return hrefOf('dedicated-accounts', request?.accountRequestCode ?? id);
    }
    default:
      return undefined;
  }
}

function CallbackDetails({ callback }: { callback: ControlCallback }) {
  const { id, recordId, reference, url, body, nextAttemptAt, attempts } = callback;
  const recordHref = useRecordHref(callback);
  return (
    <>
      <Facts
        facts={[
          { name: 'To', value: <code>{url}</code> },
          {
            name: 'About',
            value: recordHref && <a href={recordHref}>{reference ?? recordId}</a>,
          },
          { name: 'Next attempt', value: nextAttemptAt && <Timestamp at={nextAttemptAt} /> },
          { name: 'Id', value: <code>{id}</code> },
        ]}
      />
      <Part title="Attempts">
        {attempts.length === 0 && <p class="quiet">None yet.</p>}
        <ol class="attempts">
          {attempts.map((attempt, index) => (
            <AttemptLine key={index} attempt={attempt} />
          ))}
        </ol>
      </Part>
      <CodeBlock name="body" text={body} isJson />
    </>
  );
}

function AttemptLine({ attempt }: { attempt: ControlCallbackAttempt }) {
  const { at, status, error, durationMs, reason, signature, timestamp } = attempt;
  return (
    <li>
      <p class="line">
        <HttpBadge status={status ?? 'no response'} />
        <Timestamp at={at} />
        <span class="quiet">
          {[reason, durationMs !== null && `${durationMs} ms`].filter(Boolean).join(' · ')}
        </span>
        {error && <span class="problem">{error}</span>}
      </p>
      {signature && (
        <details>
          <summary>Headers</summary>
          <CodeBlock name="signature headers" text={formatSignature(signature, timestamp)} />
        </details>
      )}
    </li>
  );
}
