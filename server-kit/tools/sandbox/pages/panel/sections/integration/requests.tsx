import { type Signal, useSignal } from '@preact/signals';
import type { LoggedRequest } from 'transfer-checkout/sandbox';
import { formatPath } from '../../../format/text.ts';
import { usePanel } from '../../model/panel-context.ts';
import type { Polled } from '../../model/polled.ts';
import { HttpBadge } from '../../parts/badge.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Facts } from '../../parts/facts.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { When } from '../../parts/time.tsx';
import { DiagnosisDetails } from './signature-diagnosis.tsx';

export function Requests() {
  const live = usePanel().data.requests;
  const held = useSignal<readonly LoggedRequest[] | undefined>(undefined);
  const shown: Polled<readonly LoggedRequest[]> = held.value ? { ...live, latest: held } : live;
  return (
    <RecordList
      section="requests"
      intro="The requests of your server, and the responses of the sandbox."
      polled={shown}
      listActions={<Pause live={live} held={held} />}
      idOf={({ id }) => id}
      filterFields={({ method, path, query, operation, status, error, fault }) => [
        method,
        path,
        query,
        operation,
        status,
        error?.code,
        fault && 'fault',
      ]}
      filterBy="path, status, error code"
      row={(request) => <RequestRow request={request} />}
      details={(request) => <RequestDetails request={request} />}
      empty={
        <>
          <h3>No request yet</h3>
          <p>
            Point your client at this sandbox; the <a href="#/credentials">credentials</a> are ready to copy.
            Each request then appears here, with the reason if it is refused.
          </p>
        </>
      }
    />
  );
}

type PauseProps = {
  live: Polled<readonly LoggedRequest[]>;
  /** What the list shows while it is paused. */
  held: Signal<readonly LoggedRequest[] | undefined>;
};

/** Pauses the list, and says how many requests it is missing. */
function Pause({ live, held }: PauseProps) {
  const all = live.latest.value;
  const missed = (all?.length ?? 0) - (held.value?.length ?? 0);
  return (
    <p class="line">
      <button
        type="button"
        class="plain"
        data-action="pause"
        aria-pressed={held.value !== undefined}
        onClick={() => {
          held.value = held.value ? undefined : all;
        }}
      >
        {held.value ? 'Resume' : 'Pause the list'}
      </button>
      <span class="quiet" role="status">
        {held.value &&
          `Paused. ${missed > 0 ? `${missed} newer ${missed === 1 ? 'request is' : 'requests are'} hidden.` : ''}`}
      </span>
    </p>
  );
}

function RequestRow({ request }: { request: LoggedRequest }) {
  const { method, path, status, durationMs, error, fault, at } = request;
  return (
    <>
      <HttpBadge status={status ?? (durationMs === null ? 'open' : 'cut')} />
      <span class="name path">
        <strong>{method}</strong> {formatPath(path)}
      </span>
      {error && <span class="problem">{error.code}</span>}
      {fault && <span class="problem">fault</span>}
      <span class="quiet">{durationMs !== null && `${Math.round(durationMs)} ms`}</span>
      <When at={at} />
    </>
  );
}

function RequestDetails({ request }: { request: LoggedRequest }) {
  const { id, operation, query, error, fault, signature, requestHeaders, requestBody, responseBody } =
    request;
  const headers = Object.entries(requestHeaders ?? {}).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      {error && (
        <p class="reason-box" data-field="reason">
          {error.message}
        </p>
      )}
      {signature && <DiagnosisDetails diagnosis={signature} />}
      <Facts
        facts={[
          { name: 'Operation', value: operation && <code>{operation}</code> },
          { name: 'Query', value: query && <code>{query}</code> },
          {
            name: 'Fields at fault',
            value: error?.params && error.params.length > 0 && error.params.join(', '),
          },
          { name: 'Fault', value: fault },
          { name: 'Id', value: <code>{id}</code> },
        ]}
      />
      {requestBody && <CodeBlock name="request body" text={requestBody} isJson />}
      {responseBody && <CodeBlock name="response body" text={responseBody} isJson />}
      {headers.length > 0 && <CodeBlock name="request headers" text={headers.join('\n')} />}
    </>
  );
}
