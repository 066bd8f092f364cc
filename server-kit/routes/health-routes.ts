import type { PlainResponse } from '../http/plain-http.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import { jsonResponse } from './responses.ts';

/** `GET …/health`: 200 while the process responds at all. A store that is down is no reason to restart the process. */
export async function getHealth(): Promise<PlainResponse> {
  return jsonResponse(200, { status: 'up' });
}

/** `GET …/ready`: 200 if the instance accepts requests, otherwise 503, with a `ReadinessReport`. */
export async function getReadiness({ readiness }: { readiness: Readiness }): Promise<PlainResponse> {
  const report = await readiness.report();
  return jsonResponse(report.status === 'ready' ? 200 : 503, report);
}
