import { CheckoutError } from '../../../src/contract/index.ts';
import { createPaymentsClient } from '../../client/client.ts';
import { type NotifiedRecord, notifiedRecords } from '../sandbox/callbacks/notified-records.ts';
import { createSandbox, sandboxCredentials } from '../sandbox/index.ts';
import { createRecord, type NotifiedEvent, type RecordInput } from './create-record.ts';

const events: readonly NotifiedEvent[] = Object.entries(notifiedRecords).flatMap(([kind, { statuses }]) =>
  statuses.map((status) => ({ kind: kind as NotifiedRecord, status })),
);

const nameOf = ({ kind, status }: NotifiedEvent): string => `${kind}.${status}`;

/** @throws {CheckoutError} `invalid_options` for a name that is not of an event, with all that are */
export function parseEventName(name: string): NotifiedEvent {
  const event = events.find((one) => nameOf(one) === name);
  if (event !== undefined) return event;
  const all = events.map(nameOf).join(', ');
  throw new CheckoutError('invalid_options', `There is no event "${name}"; use one of ${all}.`);
}

/**
 * Returns the `data` of an event, from the callback of a sandbox in this process, with amounts in minor units.
 *
 * @throws {RangeError} for an amount that is too small for the event: an amount of 1 cannot be paid in part
 * @throws {PaymentsError | SandboxError} for input that the sandbox refuses, such as a callback URL with a backslash
 */
export async function createEventData(
  event: NotifiedEvent,
  input: RecordInput,
  { now, random }: { now: () => number; random: () => number },
): Promise<object> {
  const sandbox = createSandbox({ now, random });
  const { fetch, control } = sandbox;
  // Logged but not sent, because the caller sends the callback itself.
  control.setCallbackDelivery({ drop: true });
  const client = createPaymentsClient({
    ...sandboxCredentials,
    baseUrl: 'http://sandbox.invalid',
    fetch,
    now,
  });
  try {
    await createRecord(event, input, { client, control });
    const callback = control.listCallbacks().find((one) => one.event === nameOf(event));
    if (callback === undefined) throw new Error(`The sandbox has made no callback for ${nameOf(event)}.`);
    return JSON.parse(callback.body).data;
  } finally {
    await sandbox.close();
  }
}
