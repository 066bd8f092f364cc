import { useSignal } from '@preact/signals';
import { usePanel } from '../panel-context.ts';
import { HttpBadge } from '../parts/badge.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { Facts } from '../parts/facts.tsx';
import { Moment } from '../parts/moment.tsx';
import { RecordList } from '../parts/record-list.tsx';
import { Section } from '../parts/section.tsx';
import type { LoggedRequest } from '../records.ts';
import type { Watched } from '../watched.ts';
import { SignatureDiagnosis } from './signature-diagnosis.tsx';

export function Requests() {
  const { lists } = usePanel();
  const held = useSignal<readonly LoggedRequest[] | undefined>(undefined);
  const latest = lists.requests;
  const missed = (latest.value.value?.length ?? 0) - (held.value?.length ?? 0);
  const watched: Watched<readonly LoggedRequest[]> = held.value ? { ...latest, value: held } : latest;
  return (
    <Section id="requests" intro="What your server has asked, and what the sandbox has answered.">
      <p class="line">
        <button
          type="button"
          class="plain"
          data-action="pause"
          aria-pressed={held.value !== undefined}
          onClick={() => {
            held.value = held.value ? undefined : latest.value.value;
          }}
        >
          {held.value ? 'Go on' : 'Pause the list'}
        </button>
        <span class="quiet" role="status">
          {held.value && `Paused. ${missed > 0 ? `${missed} newer ones are held back.` : ''}`}
        </span>
      </p>
      <RecordList
        section="requests"
        watched={watched}
        idOf={({ id }) => id}
        textOf={({ method, path, query, operation, status, error, fault }) =>
          [method, path, query, operation, status, error?.code, fault && 'fault'].join(' ')
        }
        filterBy="path, status, error code"
        row={(request) => <RequestRow request={request} />}
        details={(request) => <RequestDetails request={request} />}
        empty={
          <>
            <h3>No request yet</h3>
            <p>
              Point your client at this sandbox; the <a href="#/credentials">credentials</a> are ready to
              copy. Each request then shows up here, with the reason where it is refused.
            </p>
          </>
        }
      />
    </Section>
  );
}

/** Without what stands before the service's own paths. */
const shorten = (path: string): string => path.replace(/^.*?(?=\/v1\/)/, '');

function RequestRow({ request }: { request: LoggedRequest }) {
  const { method, path, status, durationMs, error, fault, at } = request;
  return (
    <>
      <HttpBadge status={status ?? (durationMs === null || durationMs === undefined ? 'open' : 'cut')} />
      <span class="name path">
        <strong>{method}</strong> {shorten(path)}
      </span>
      {error && <span class="problem">{error.code}</span>}
      {fault && <span class="problem">fault</span>}
      <span class="quiet">{typeof durationMs === 'number' && `${Math.round(durationMs)} ms`}</span>
      <span class="when">
        <Moment at={at} />
      </span>
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
      {signature && <SignatureDiagnosis diagnosis={signature} />}
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
