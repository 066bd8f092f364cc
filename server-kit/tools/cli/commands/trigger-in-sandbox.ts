import { isSuccess } from '../../../client/http/fetch-result.ts';
import type { NotifiedEvent, RecordInput } from '../../testing/create-record.ts';
import { type MadeEvent, makeEvent, type SandboxAddress } from '../sandbox/make-event.ts';
import { CliError, UsageError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { createPrinter, toRows } from '../terminal/printer.ts';

type InSandbox = { notified: NotifiedEvent; input: RecordInput; sandbox: SandboxAddress; isJson: boolean };

/** Makes the event in a running sandbox, which sends the callback, and prints what was done. */
export async function triggerInSandbox(
  { notified, input, sandbox, isJson }: InSandbox,
  io: Io,
): Promise<void> {
  const { kind, status } = notified;
  const event = `${kind}.${status}`;
  if (kind === 'dedicated_account' && input.callbackUrl === undefined) {
    throw new UsageError('A dedicated account must have a callback URL; pass it as --to.');
  }
  const { calls, id, callback } = await makeEvent(notified, input, sandbox, io);
  const { print } = createPrinter(io, isJson);
  const attempt = callback?.attempts.at(-1);
  print(
    {
      event,
      sandbox: sandbox.url,
      calls,
      record: { kind, id, reference: callback?.reference ?? null },
      callback:
        callback === undefined
          ? null
          : {
              event: callback.event,
              to: callback.url,
              state: callback.state,
              status: attempt?.status ?? null,
            },
    },
    toRows([
      ['event', event],
      ['sandbox', sandbox.url],
      ...calls.map((call, index) => [index === 0 ? 'called' : '', call] as const),
      ['record', `${kind} ${[callback?.reference, id].filter(Boolean).join(', ')}`],
      ['callback', describeCallback(callback)],
    ]),
  );
  if (callback === undefined || callback.state === 'dropped' || isSuccess(attempt?.status ?? 0)) return;
  throw new CliError(
    'not_accepted',
    `${callback.url} did not accept the callback; the sandbox sends it again.`,
  );
}

function describeCallback(callback: MadeEvent['callback']): string {
  if (callback === undefined)
    return 'none: the record has no callback URL; pass one as --to with a new reference';
  if (callback.state === 'dropped') return 'dropped, as the sandbox is set to';
  const { status, error } = callback.attempts.at(-1) ?? {};
  return `${callback.event} to ${callback.url}: ${status ?? error ?? 'not sent'}`;
}
