import type { LoggedRequest, SignatureDiagnosis } from 'transfer-checkout/sandbox';
import { formatPath } from '../format/text.ts';
import { usePanel } from './model.ts';
import { CodeBlock, Facts, HttpBadge, Timestamp } from './parts.tsx';
import { RecordList } from './record-list.tsx';

export function Requests() {
  return (
    <RecordList
      section="requests"
      intro="The requests of your server, and the responses of the sandbox."
      records={usePanel().data.requests}
      idOf={({ id }) => id}
      filterFields={({ method, path, query, operation, status, error, fault }) => [
        ...[method, path, query, operation, status, error?.code, fault && 'fault'],
      ]}
      filterBy="path, status, error code"
      row={(request) => <RequestRow request={request} />}
      details={(request) => <RequestDetails request={request} />}
      empty={
        <>
          <h3>No request yet</h3>
          <p>
            Point your client at this sandbox. Each request then appears here, with the reason if it is
            refused.
          </p>
        </>
      }
    />
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
      <span class="quiet">{durationMs !== null && `${durationMs} ms`}</span>
      <span class="when">
        <Timestamp at={at} />
      </span>
    </>
  );
}

function RequestDetails({ request }: { request: LoggedRequest }) {
  const { operation, query, error, fault, signature, requestHeaders, requestBody, responseBody } = request;
  const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      {error && <p class="reason-box">{error.message}</p>}
      {signature && <Diagnosis {...signature} />}
      <Facts
        facts={[
          { name: 'Operation', value: operation && <code>{operation}</code> },
          { name: 'Query', value: query && <code>{query}</code> },
          { name: 'Fields at fault', value: error?.params.join(', ') },
          { name: 'Fault', value: fault },
        ]}
      />
      {requestBody && <CodeBlock name="request body" text={requestBody} />}
      {responseBody && <CodeBlock name="response body" text={responseBody} />}
      <CodeBlock name="request headers" text={headers.join('\n')} />
    </>
  );
}

/** Explains step by step why a signature was refused. */
function Diagnosis({ received, expected, hints }: SignatureDiagnosis) {
  const steps = [
    ['canonicalBody', expected.canonicalBody],
    ['bodyHash', expected.bodyHash],
    ['signedText', expected.signedText],
    ['signature expected', expected.signature],
    ['signature received', received.signature],
    ['timestamp received', received.timestamp],
  ] as const;
  return (
    <section class="part">
      <h3>What is wrong with the signature</h3>
      {hints.map((hint) => (
        <p key={hint}>{hint}</p>
      ))}
      <details open>
        <summary>Each step, as the sandbox computes it</summary>
        <div class="part">
          {steps.map(([name, text]) => text && <CodeBlock key={name} name={name} text={text} />)}
        </div>
      </details>
    </section>
  );
}
