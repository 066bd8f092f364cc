import * as v from 'valibot';
import { createPaymentsClient } from '../../core/client.ts';
import { ErrorEnvelope } from '../../core/errors.ts';
import { sandboxCredentials } from '../../engine/published-keys.ts';
import { isSuccess } from '../sandbox/callbacks/attempts.ts';
import { controlResult, createRemoteCalls } from '../sandbox/calls/control-routes.ts';
import type { ControlCallback } from '../sandbox/index.ts';
import {
  type AnyControl,
  createRecord,
  type NotifiedEvent,
  type RecordInput,
} from '../testing/create-record.ts';
import { fetchText } from './requests.ts';
import { CliError, createPrinter, type Io, toLines } from './terminal.ts';

type SandboxOptions = { url: string; apiSecret: string; json?: boolean | undefined };

/** Makes an event in a running sandbox, which sends the callback, and prints what was done. */
export async function triggerInSandbox(
  event: NotifiedEvent,
  input: RecordInput,
  { url, apiSecret, json }: SandboxOptions,
  io: Io,
): Promise<void> {
  const { kind, status } = event;
  if (kind === 'dedicated_account' && input.callbackUrl === undefined)
    throw new CliError('usage', 'A dedicated account must have a callback URL; pass it as --to.');
  const calls: string[] = [];
  const fetch: Io['fetch'] = async (target, init) => {
    const response = await io.fetch(target, init);
    if (init?.method === 'POST') calls.push(`POST ${new URL(String(target)).pathname}`);
    return response;
  };
  const control = createRemoteControl({ ...io, fetch }, url);
  const { now, wait, random } = io;
  const keys = { ...sandboxCredentials, apiSecret };
  const client = createPaymentsClient({ ...keys, baseUrl: url, fetch, now, wait, random });
  const earlier = new Set((await control.listCallbacks()).map(({ id }) => id));
  const { id, callbackUrl } = await createRecord(event, input, { client, control });
  const isOfRecord = (callback: ControlCallback): boolean =>
    !earlier.has(callback.id) &&
    (callback.recordId === id || JSON.parse(callback.body).data.accountRequestCode === id);
  const listNew = async () => (await control.listCallbacks()).filter(isOfRecord);
  const callback = callbackUrl === null ? undefined : await waitForAttempt(listNew, status, io);
  const attempt = callback?.attempts.at(-1);
  const reference = callback?.reference ?? null;
  createPrinter(io, json).print(
    {
      event: `${kind}.${status}`,
      sandbox: url,
      calls,
      // Of a dedicated account, the code of its request.
      record: { kind, id, reference },
      callback: callback
        ? { event: callback.event, to: callback.url, state: callback.state, status: attempt?.status ?? null }
        : null,
    },
    toLines([
      ['event', `${kind}.${status}`],
      ['sandbox', url],
      ...calls.map((call, index) => [index === 0 ? 'called' : '', call] as const),
      ['record', `${kind} ${[reference, id].filter(Boolean).join(', ')}`],
      ['callback', describeCallback(callback)],
    ]),
  );
  if (callback === undefined || callback.state === 'dropped' || isSuccess(attempt?.status ?? 0)) return;
  const message = `${callback.url} did not accept the callback; the sandbox sends it again.`;
  throw new CliError('not_accepted', message);
}

function describeCallback(callback: ControlCallback | undefined): string {
  if (callback === undefined)
    return 'none: the record has no callback URL; pass one as --to with a new reference';
  if (callback.state === 'dropped') return 'dropped, as the sandbox is set to';
  const { status, error } = callback.attempts.at(-1) ?? {};
  return `${callback.event} to ${callback.url}: ${status ?? error ?? 'not sent'}`;
}

/** The sandbox sends a callback at once, and times out after ten seconds. */
const pauseMs = 250;
const maxPauses = 60;

/** Returns the callback of the new status once it was tried, or an earlier one of the record for which it has to wait. */
async function waitForAttempt(
  listCallbacks: () => Promise<readonly ControlCallback[]>,
  status: string,
  { wait, signal }: Io,
): Promise<ControlCallback> {
  for (let pauses = 0; pauses < maxPauses; pauses++) {
    const callbacks = await listCallbacks();
    // The dialect chooses the name of the event.
    const callback = callbacks.find(({ body }) => JSON.parse(body).data.status === status);
    if (callback === undefined) break;
    if (callback.state === 'dropped' || callback.attempts.length > 0) return callback;
    const blocking = callbacks.find(({ state, attempts }) => state === 'pending' && attempts.length > 0);
    if (blocking !== undefined) return blocking;
    await wait(pauseMs, signal);
  }
  const message = 'The sandbox has not sent the callback; see the callbacks in its control panel.';
  throw new CliError('not_sent', message);
}

/** More than any list of records is long; a server that is not a sandbox can send an endless response. */
const maxBytes = 100_000_000;

/**
 * Creates the control calls of a sandbox over HTTP. They throw a `CliError`: the sandbox's own code and message, or
 * `connection_lost` (also for a gateway's own error), `timeout`, and `no_sandbox` for a server that is not a sandbox.
 */
const createRemoteControl = (io: Io, url: string): AnyControl =>
  createRemoteCalls(async (name, path, init) => {
    const { status, text } = await fetchText(io, url + path, { ...init, maxBytes });
    const parse = <T>(Schema: v.GenericSchema<unknown, T>) =>
      v.safeParse(v.pipe(v.string(), v.parseJson(), Schema), text);
    const result = parse(controlResult(name));
    if (status === 200 && result.success) return result.output;
    const refusal = parse(ErrorEnvelope);
    const { code, message } = refusal.success ? refusal.output.error : { code: 'unknown', message: '' };
    if (code !== 'unknown' && code !== 'route_not_found') throw new CliError(code, message);
    // A sandbox that is starting, or a gateway in front of it.
    if (status >= 500) throw new CliError('connection_lost', `${url} responded with ${status}; see its log.`);
    const hint = `${url} is not a sandbox: its response is not that of a control call; check the address.`;
    throw new CliError('no_sandbox', hint);
  }) as AnyControl;
