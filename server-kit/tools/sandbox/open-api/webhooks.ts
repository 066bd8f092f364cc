import type { Dialect } from '../../../client/api/dialect.ts';
import { eventName, type NotifiedRecord, notifiedRecords } from '../callbacks/notified-records.ts';
import { type JsonSchema, referTo } from './schemas.ts';

const header = (name: string, description: string): object => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** Describes the callbacks (interface, section 6), which are sent to a record's `callbackUrl`. */
export const createWebhooks = (dialect: Readonly<Dialect>): Record<string, object> =>
  Object.fromEntries(
    (Object.keys(notifiedRecords) as NotifiedRecord[]).map((kind) => [
      kind,
      { post: toWebhook(kind, dialect) },
    ]),
  );

function toWebhook(kind: NotifiedRecord, dialect: Readonly<Dialect>): object {
  const { callbackRetries, callbackRetrySeconds, timestampToleranceSeconds } = dialect;
  const events = notifiedRecords[kind].statuses.map((status) => eventName(kind, status, dialect));
  return {
    operationId: `callbacks.${kind}`,
    tags: ['callbacks'],
    summary: `A ${kind.replace('_', ' ')} has a new status`,
    description:
      'Sent to the callbackUrl. Treat it as a reason to verify the record with the service, not as proof.',
    security: [],
    parameters: [
      header(
        'Request-Signature',
        'Hex HMAC-SHA512, with the API secret, of the callback URL, the hex HMAC-SHA512 of the text of data, and the timestamp.',
      ),
      header(
        'Request-Timestamp',
        `UNIX seconds in ten digits. Refuse a timestamp more than ${timestampToleranceSeconds} s from your clock.`,
      ),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              event: { type: 'string', examples: events, description: 'Not signed. New events may follow.' },
              data: dataOf(kind),
            },
            required: ['event', 'data'],
          },
        },
      },
    },
    responses: {
      '2XX': {
        description: `Received. After any other response the callback is sent again ${callbackRetries} times, ${callbackRetrySeconds} s apart.`,
      },
    },
  };
}

/** Returns the schema of the record as its endpoint returns it. */
function dataOf(kind: NotifiedRecord): JsonSchema {
  const [first, ...others] = notifiedRecords[kind].schemas;
  return others.length === 0 ? referTo(first) : { anyOf: [first, ...others].map(referTo) };
}
