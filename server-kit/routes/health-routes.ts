import type { PlainResponse } from '../http/plain-http.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import { answerHeaders } from './response-headers.ts';

const answer = (status: number, body: object): PlainResponse => ({
  status,
  headers: { ...answerHeaders, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** `GET …/health`: 200 for as long as the process answers at all. A store that is down is no reason to start it anew. */
export async function getHealth(): Promise<PlainResponse> {
  return answer(200, { status: 'up' });
}

/** `GET …/ready`: 200 where requests are welcome, otherwise 503, with a `ReadinessReport`. */
export async function getReadiness({ readiness }: { readiness: Readiness }): Promise<PlainResponse> {
  const report = await readiness.report();
  return answer(report.status === 'ready' ? 200 : 503, report);
}
