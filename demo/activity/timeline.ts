import type { ControlCallback, ControlCallbackAttempt, LoggedRequest } from 'transfer-checkout/sandbox';
import type { ShopEvent } from '../merchant/shop-records.ts';

/** Something that happened between the shop's server and the payments service. `at` is in ISO 8601. */
export type Activity = { key: string; at: string } & (
  | { kind: 'handler'; event: ShopEvent }
  | { kind: 'request'; request: LoggedRequest }
  | { kind: 'callback'; callback: ControlCallback; attempt: ControlCallbackAttempt }
);

/** An activity, and how often in a row it happened. */
export type TimelineRow = { activity: Activity; count: number };

export type ActivityReading = {
  /** Oldest first. */
  events: readonly ShopEvent[];
  /** The lead of the sandbox's clock over the shop's, in seconds. */
  offsetSeconds: number;
  /** Newest first, as in the sandbox. */
  requests: readonly LoggedRequest[];
  /** Newest first, as in the sandbox. */
  callbacks: readonly ControlCallback[];
};

/**
 * Returns the activities around these payments, oldest first. The handlers' times are moved to the sandbox's clock, so that
 * all have one order.
 */
export function readActivities(reading: ActivityReading, references: ReadonlySet<string>): Activity[] {
  const requests = reading.requests.filter((request) => isAbout(request, references));
  const callbacks = reading.callbacks.filter(({ reference }) => references.has(reference ?? ''));
  // Those of the same millisecond keep this order.
  const activities: Activity[] = [
    ...requests.reverse().map(toRequest),
    ...callbacks.reverse().flatMap(toCallbacks),
    ...reading.events.map((event) => toHandler(event, reading.offsetSeconds)),
  ];
  return activities.sort((left, right) => Date.parse(left.at) - Date.parse(right.at));
}

/** A request without a response would change later. */
function isAbout({ path, requestBody, status }: LoggedRequest, references: ReadonlySet<string>): boolean {
  return status !== null && [...references].some((one) => path.includes(one) || requestBody?.includes(one));
}

// The log starts again with the sandbox, so an id alone could occur twice.
const toRequest = (request: LoggedRequest): Activity => ({
  kind: 'request',
  key: `${request.id} ${request.at}`,
  at: request.at,
  request,
});

const toCallbacks = (callback: ControlCallback): Activity[] =>
  callback.attempts.map((attempt, index) => ({
    kind: 'callback',
    key: `${callback.id} ${index}`,
    at: attempt.at,
    callback,
    attempt,
  }));

const toHandler = (event: ShopEvent, offsetSeconds: number): Activity => ({
  kind: 'handler',
  key: event.key,
  at: new Date(Date.parse(event.at) + offsetSeconds * 1000).toISOString(),
  event,
});

/** Joins equal requests in a row: the server verifies a payment again and again. */
export function toRows(activities: readonly Activity[]): readonly TimelineRow[] {
  const rows: TimelineRow[] = [];
  for (const activity of activities) {
    const last = rows.at(-1);
    if (last !== undefined && isSameRequest(last.activity, activity)) {
      rows.splice(-1, 1, { activity, count: last.count + 1 });
    } else rows.push({ activity, count: 1 });
  }
  return rows;
}

const isSameRequest = (left: Activity, right: Activity): boolean =>
  left.kind === 'request' &&
  right.kind === 'request' &&
  left.request.method === right.request.method &&
  left.request.path === right.request.path &&
  left.request.status === right.request.status;
