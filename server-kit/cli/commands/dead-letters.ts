import { type Command, Option } from 'commander';
import type { DeadLetter } from '../../outbox/dead-letters.ts';
import { keyVariable } from '../checkout/call-checkout.ts';
import { openSource, type SourceOptions } from '../checkout/dead-letter-source.ts';
import { CliError, UsageError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { addJsonOption, readBaseUrl } from '../terminal/options.ts';
import { createPrinter, type Printer, toRows } from '../terminal/printer.ts';

type Options = SourceOptions & { json?: boolean };
type RetryOptions = Options & { all?: boolean };

export function addDeadLettersCommand(program: Command, io: Io): void {
  const command = program
    .command('dead-letters')
    .summary('list, and retry, what your handlers have failed at too often')
    .description(
      'Lists the outcomes whose handlers have failed too often, the oldest first: a person finds out why, and retries them. ' +
        'Of a checkout that is reached with --url, the oldest hundred are listed.',
    )
    // As the program does: options behind `retry` are that command's.
    .enablePositionalOptions()
    .action((options: Options) => list(options, io));
  addSourceOptions(command).addHelpText('after', listExamples);
  const retry = command
    .command('retry')
    .summary('call the handler again')
    .description('Makes a dead letter due again, or all of them, so that its handler is called once more.')
    .argument('[key]', 'its key, as it is listed')
    .option('--all', 'all of them')
    .action((key: string | undefined, options: RetryOptions) => retryLetters(key, options, io));
  addSourceOptions(retry).addHelpText('after', retryExamples);
}

function addSourceOptions(command: Command): Command {
  command
    .addOption(new Option('--module <file>', 'an ES module that exports your checkout').conflicts('url'))
    .addOption(
      new Option('--export <name>', 'what it is exported as (default: checkout, or else default)').conflicts(
        'url',
      ),
    )
    .option(
      '--url <url>',
      'where your checkout is mounted, such as https://shop.example/checkout',
      readBaseUrl,
    )
    .option('--key-env <name>', 'environment variable with the reconcileKey, for --url', keyVariable);
  return addJsonOption(command);
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
