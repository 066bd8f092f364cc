import type { Command } from 'commander';
import { isSuccess } from '../../../client/http/fetch-result.ts';
import { maxFinishedCallbacks } from '../../sandbox/callbacks/backlog.ts';
import { type CallbackReader, createCallbackReader, type SentCallback } from '../callbacks/callback-log.ts';
import { postCallback } from '../callbacks/post-callback.ts';
import { CliError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { addJsonOption, defaultSandboxUrl, readBaseUrl, readUrl } from '../terminal/options.ts';
import { createPrinter, type Printer, printable } from '../terminal/printer.ts';

type ListenOptions = { forwardTo: string; sandbox: string; events?: readonly string[]; json?: boolean };

export function addListenCommand(program: Command, io: Io): void {
  const command = program
    .command('listen')
    .summary('forward the callbacks of a sandbox to your machine')
    .description(
      'Forwards the callbacks of a sandbox with the same body and the same two headers. Your receiver must verify them ' +
        'with the callback URL that is registered with the payment, because that URL is signed, not the one here. ' +
        'Press Ctrl-C to stop.',
    )
    .requiredOption('--forward-to <url>', 'your receiver', readUrl)
    .option('--sandbox <url>', 'the base address of the sandbox', readBaseUrl, defaultSandboxUrl)
    .option(
      '--events <names>',
      'only these events, such as payment.succeeded,payout.* (default: all)',
      readEvents,
    )
    .action((options: ListenOptions) => listen(options, io));
  addJsonOption(command).addHelpText('after', examples);
}

const examples = `
Examples:
  $ transfer-checkout listen --forward-to http://localhost:3000/callbacks
  $ transfer-checkout listen --forward-to http://localhost:3000/hooks --sandbox http://localhost:4242/service`;

const readEvents = (text: string): readonly string[] => text.split(',').map((name) => name.trim());

const pollMs = 500;

async function listen(options: ListenOptions, io: Io): Promise<void> {
  const printer = createPrinter(io, options.json);
  const watch = watchConnection(createCallbackReader(io, options.sandbox), options.sandbox, printer);
  while (!io.signal.aborted) {
    for (const sent of await watch()) {
      if (!io.signal.aborted && isWanted(sent, options)) await forward(sent, options, io, printer);
    }
    // Ctrl-C ends the wait, and with it the command.
    await io.wait(pollMs, io.signal).catch(() => {});
  }
}

const gapNote =
  `More callbacks may have finished since the last poll than the ${maxFinishedCallbacks} that the sandbox keeps, so that ` +
  'some may not be forwarded. Send fewer at once, or register your receiver directly.';

/** The codes of failures that a restart of the sandbox ends. */
const mayPass: readonly string[] = ['connection_lost', 'timeout', 'storage_failed'];

/** Returns a function that reads new callbacks and reports when the sandbox becomes unreachable or reachable again. */
function watchConnection(
  reader: CallbackReader,
  sandbox: string,
  { note }: Printer,
): () => Promise<readonly SentCallback[]> {
  let isConnected: boolean | undefined;
  return async () => {
    try {
      const { sent, hasGap } = await reader.readNew();
      if (isConnected !== true) note(`Listening to ${sandbox}.`);
      isConnected = true;
      if (hasGap) note(gapNote);
      return sent;
    } catch (error) {
      if (!(error instanceof CliError) || !mayPass.includes(error.code)) throw error;
      if (isConnected !== false) note(`${error.message} Trying again.`);
      isConnected = false;
      return [];
    }
  };
}

const isWanted = ({ event }: SentCallback, { events }: ListenOptions): boolean =>
  events === undefined ||
  events.some((name) => (name.endsWith('*') ? event.startsWith(name.slice(0, -1)) : event === name));

async function forward(
  sent: SentCallback,
  { forwardTo }: ListenOptions,
  io: Io,
  printer: Printer,
): Promise<void> {
  const { id, event, url, at, reason } = sent;
  const outcome = await postCallback(io, forwardTo, sent).catch((error: unknown) => {
    // The next callback may succeed, because receivers restart often during development.
    if (error instanceof CliError) return error;
    throw error;
  });
  if (io.signal.aborted) return;
  const hasResponse = !(outcome instanceof CliError);
  const { status, durationMs } = hasResponse ? outcome : { status: null, durationMs: null };
  const error = hasResponse ? null : outcome.message;
  const result = hasResponse ? `${status}  ${durationMs} ms` : outcome.message;
  const colour = hasResponse && isSuccess(outcome.status) ? 'green' : 'red';
  printer.print({ at, id, event, url, reason, forwardedTo: forwardTo, status, durationMs, error }, [
    `${at.slice(11, 19)}  ${printable(event).padEnd(26)}  ${reason.padEnd(6)}  ${printer.paint(colour, printable(result))}`,
  ]);
}
