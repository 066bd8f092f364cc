import type { Command } from 'commander';
import type { DeadLetter } from '../../../checkout/outbox/dead-letters.ts';
import { openSource } from '../checkout/dead-letter-source.ts';
import { addSourceOptions, type SourceOptions } from '../checkout/source-options.ts';
import { CliError, UsageError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { addJsonOption } from '../terminal/options.ts';
import { createPrinter, type Printer, toRows } from '../terminal/printer.ts';

type Options = SourceOptions & { json?: boolean };
type RetryOptions = Options & { all?: boolean };

export function addDeadLettersCommand(program: Command, io: Io): void {
  const command = program
    .command('dead-letters')
    .summary('list and retry events that your handlers failed to handle')
    .description(
      'Lists the events whose handlers have failed too often, oldest first. Find out why each one failed, then retry it. ' +
        'With --url, the oldest hundred are listed.',
    )
    // Options after `retry` belong to that command.
    .enablePositionalOptions()
    .action((options: Options) => list(options, io));
  addJsonOption(addSourceOptions(command)).addHelpText('after', listExamples);
  const retry = command
    .command('retry')
    .summary('call the handler again')
    .description('Makes one dead letter or all of them due, so that the handler is called again.')
    .argument('[key]', 'the key from the list')
    .option('--all', 'retry all dead letters')
    .action((key: string | undefined, options: RetryOptions) => retryLetters(key, options, io));
  addJsonOption(addSourceOptions(retry)).addHelpText('after', retryExamples);
}

const listExamples = `
Examples:
  $ transfer-checkout dead-letters --module ./checkout.js
  $ RECONCILE_KEY=… transfer-checkout dead-letters --url https://shop.example/checkout --json`;

const retryExamples = `
Examples:
  $ transfer-checkout dead-letters retry order-1001:paid --module ./checkout.js
  $ RECONCILE_KEY=… transfer-checkout dead-letters retry --all --url https://shop.example/checkout`;

async function list(options: Options, io: Io): Promise<void> {
  const source = await openSource(options, io);
  try {
    const { total, deadLetters } = await source.list();
    const printer = createPrinter(io, options.json);
    printer.print({ total, deadLetters }, toLines(total, deadLetters, printer));
  } finally {
    await source.close();
  }
}

function toLines(total: number, deadLetters: readonly DeadLetter[], { paint }: Printer): string[] {
  if (total === 0) return ['There are no dead letters.'];
  const heading = total === 1 ? '1 dead letter.' : `${total} dead letters.`;
  const more = total > deadLetters.length ? [`The oldest ${deadLetters.length} are listed.`] : [];
  const blocks = deadLetters.flatMap(({ key, reference, tries, failure }) => [
    '',
    ...toRows([
      ['key', key],
      ['payment', reference],
      ['tries', String(tries)],
      ['failure', failure ?? undefined],
    ]),
  ]);
  return [paint('red', heading), ...more, ...blocks];
}

async function retryLetters(key: string | undefined, options: RetryOptions, io: Io): Promise<void> {
  if ((key === undefined) === !options.all)
    throw new UsageError('Name the key of a dead letter, or pass --all.');
  const source = await openSource(options, io);
  try {
    const retried = await source.retry(key ?? null);
    if (key !== undefined && retried === 0) {
      const message = `There is no dead letter ${key}; list them with: transfer-checkout dead-letters.`;
      throw new CliError('no_dead_letter', message);
    }
    createPrinter(io, options.json).print({ retried }, [`${retried} retried.`]);
  } finally {
    await source.close();
  }
}
