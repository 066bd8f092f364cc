import * as v from 'valibot';
import { CheckoutError } from '../../../src/contract/index.ts';
import { decodeSegment, lastSegments, type PlainRequest, readJson, respond } from '../../core/http.ts';
import type { Engine } from '../shell/engine.ts';
import { noteOrder, reportOrders } from '../shell/orders.ts';
import { toOrderText } from '../telemetry/order-report.ts';

/** Responds with a page of text about an order, or a list of `OrderReport` as JSON. */
export async function getOrders(engine: Engine, { url, header }: PlainRequest) {
  const timeZone = url.searchParams.get('timeZone') ?? 'UTC';
  if (!isTimeZone(timeZone))
    throw new CheckoutError('invalid_request', 'timeZone must be a zone, such as Africa/Lagos.');
  const reports = await reportOrders(engine, decodeSegment(lastSegments(url)[0]), timeZone);
  if (header('accept')?.includes('application/json')) return respond(200, reports);
  const text = { ...respond(200), body: reports.map(toOrderText).join('\n') };
  return { ...text, headers: { ...text.headers, 'content-type': 'text/plain; charset=utf-8' } };
}

function isTimeZone(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone }) !== undefined;
  } catch {
    return false;
  }
}

const Noted = v.object({
  orderId: v.string(),
  text: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(500)),
});

export async function postNote(engine: Engine, request: PlainRequest) {
  const noted = v.safeParse(Noted, await readJson(request, engine.wait));
  if (!noted.success)
    throw new CheckoutError('invalid_request', 'Send { orderId, text }; the text has 1 to 500 characters.');
  await noteOrder(engine, noted.output);
  return respond(204);
}
