import { createPaymentsClient } from '../../../client/client.ts';
import { sandboxCredentials } from '../../../client/signing/guessable-keys.ts';
import type { ControlCallback } from '../../sandbox/index.ts';
import { createRecord, type NotifiedEvent, type RecordInput } from '../../testing/create-record.ts';
import { CliError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { createRemoteControl } from './remote-control.ts';

export type SandboxAddress = { url: string; apiSecret: string };

export type MadeEvent = {
  /** Each call that changed something at the sandbox, such as `POST /v1/payments`. */
  calls: readonly string[];
  /** The id of the record; of a dedicated account, the code of its request. */
  id: string;
  /** The callback of the event, or an earlier one that the receiver did not accept; `undefined` for a record without a callback URL. */
  callback: ControlCallback | undefined;
};

/** The sandbox sends a callback at once, and times out after ten seconds. */
const pauseMs = 250;
const maxPauses = 60;

/**
 * Makes an event in a running sandbox and waits for the first attempt of its callback.
 *
 * @throws {CliError | PaymentsError} for what the sandbox refuses
 */
export async function makeEvent(
  event: NotifiedEvent,
  input: RecordInput,
  { url, apiSecret }: SandboxAddress,
  io: Io,
): Promise<MadeEvent> {
  const calls: string[] = [];
  const fetch: Io['fetch'] = async (target, init) => {
    const response = await io.fetch(target, init);
    const { pathname } = new URL(String(target));
    if (init?.method === 'POST') calls.push(`POST ${pathname}`);
    return response;
  };
  const control = createRemoteControl({ ...io, fetch }, url);
  const { now, wait, random } = io;
  const client = createPaymentsClient({
    ...sandboxCredentials,
    apiSecret,
    baseUrl: url,
    fetch,
    now,
    wait,
    random,
  });
  const earlier = new Set((await control.listCallbacks()).map((callback) => callback.id));
  const { id, callbackUrl } = await createRecord(event, input, { client, control });
  if (callbackUrl === null) return { calls, id, callback: undefined };
  const isOfRecord = (callback: ControlCallback): boolean =>
    !earlier.has(callback.id) &&
    (callback.recordId === id || JSON.parse(callback.body).data.accountRequestCode === id);
  const readCallbacks = async () => (await control.listCallbacks()).filter(isOfRecord);
  return { calls, id, callback: await waitForAttempt(readCallbacks, event.status, io) };
}

/** Returns the callback of the new status once it was tried, or an earlier one of the record for which it has to wait. */
async function waitForAttempt(
  readCallbacks: () => Promise<readonly ControlCallback[]>,
  status: string,
  { wait, signal }: Io,
): Promise<ControlCallback> {
  for (let pauses = 0; pauses < maxPauses; pauses++) {
    const callbacks = await readCallbacks();
    // The dialect chooses the name of the event.
    const callback = callbacks.find((one) => JSON.parse(one.body).data.status === status);
    if (callback === undefined) break;
    if (callback.state === 'dropped' || callback.attempts.length > 0) return callback;
    const blocking = callbacks.find((one) => one.state === 'pending' && one.attempts.length > 0);
    if (blocking !== undefined) return blocking;
    await wait(pauseMs, signal);
  }
  throw new CliError(
    'not_sent',
    'The sandbox has not sent the callback; see the callbacks in its control panel.',
  );
}
