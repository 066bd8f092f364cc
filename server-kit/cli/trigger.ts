import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { type Currency, currencies } from '../api/fields.ts';
import { signCallback } from '../callbacks.ts';
import { toTimestamp } from '../signature.ts';
import { parseJson, readText } from './body.ts';
import { CliError, UsageError } from './cli-error.ts';
import { eventKinds, isEventKind, makeEventData } from './event-data.ts';
import type { Io } from './io.ts';
import { addJsonOption, readUrl, readWholeNumber } from './options.ts';
import { isTaken, postCallback } from './post-callback.ts';
import { createPrinter, printable, toRows } from './printer.ts';
import { addSecretOptions, readSecret, type SecretOptions } from './secret.ts';

type TriggerOptions = SecretOptions & {
  to: string;
  url?: string;
  reference: string;
  id?: string;
  amount: number;
  currency: Currency;
  data?: string;
  json?: boolean;
};

export function addTriggerCommand(program: Command, io: Io): void {
  const command = program
    .command('trigger')
    .summary('send a signed callback to your receiver')
    .description('Sends one signed callback to your receiver, and prints its answer. No sandbox is needed.')
    .addArgument(new Argument('<event>', 'what happened, such as payment.succeeded').argParser(readEvent))
    .requiredOption('--to <url>', 'where to send it', readUrl)
    .option(
      '--url <url>',
      'the callback URL that is signed, as your server knows it (default: that of --to)',
      readUrl,
    )
    .option('--reference <reference>', 'of the record', 'ord_1001')
    .option('--id <id>', 'of the record (default: a new one)')
    .option('--amount <amount>', 'in minor units', readWholeNumber(1, Number.MAX_SAFE_INTEGER), 1_250_000)
    .addOption(new Option('--currency <code>', 'of the amount').choices(currencies).default('NGN'))
    .option('--data <json>', 'further fields of the record, or other values; @FILE for a file')
    .action((event: string, options: TriggerOptions) => trigger(event, options, io));
  addSecretOptions(command);
  addJsonOption(command).addHelpText('after', eventHelp + examples);
}

const eventHelp = [
  '',
  'Events:',
  ...Object.entries(eventKinds).map(([kind, { statuses }]) => `  ${kind}.${statuses.join(' | ')}`),
  '',
].join('\n');

const examples = `
Examples:
  $ transfer-checkout trigger payment.succeeded --to http://localhost:3000/checkout/callbacks --reference ord_1
  $ transfer-checkout trigger payout.failed --to http://localhost:3000/hooks --data '{"failureCode":"account_closed"}'
  $ transfer-checkout trigger invoice.paid --to http://localhost:3000/hooks --url https://shop.example/hooks`;

/** One of the events; for a status that does not exist, those that do. */
function readEvent(text: string): string {
  const [kind = '', status = '', ...rest] = text.split('.');
  if (!isEventKind(kind)) {
    throw new InvalidArgumentError(
      `It begins with one of ${Object.keys(eventKinds).join(', ')}: payment.succeeded.`,
    );
  }
  const { statuses } = eventKinds[kind];
  if (rest.length === 0 && statuses.includes(status)) return text;
  throw new InvalidArgumentError(`${kind} can be ${statuses.join(', ')}.`);
}

async function trigger(event: string, options: TriggerOptions, io: Io): Promise<void> {
  const { to, url = to } = options;
  const { secret, secretFrom } = readSecret(options, io.env);
  const body = JSON.stringify({ event, data: await makeData(event, options, io) });
  const timestamp = toTimestamp(io.now());
  const signature = await signCallback({ secret, callbackUrl: url, rawBody: body, timestamp });
  const answer = await postCallback(io, to, { body, signature, timestamp });
  const { print, paint } = createPrinter(io, options.json);
  const { status, text, durationMs } = answer;
  print(
    { event, to, url, body, signature, timestamp, secretFrom, answer: { status, body: text, durationMs } },
    [
      ...toRows([
        ['event', event],
        ['to', to],
        ['signed URL', url],
        ['sent', body],
        ['secret', secretFrom],
      ]),
      '',
      `${paint(isTaken(answer) ? 'green' : 'red', String(status))}  ${durationMs} ms`,
      ...(text === '' ? [] : [printable(text.slice(0, maxShownText).trimEnd())]),
    ],
  );
  if (isTaken(answer)) return;
  throw new CliError('not_taken', `${to} answered ${status}; a callback is taken when the answer is 2xx.`);
}

/** As much of an answer as a person will read. */
const maxShownText = 2_000;

async function makeData(event: string, options: TriggerOptions, io: Io): Promise<object> {
  const { reference, amount, currency, id, to, url: callbackUrl = to } = options;
  const made = await makeEventData(event, { reference, amount, currency }, io);
  const changes = options.data === undefined ? {} : await readChanges(options.data, io);
  return {
    ...made,
    ...('callbackUrl' in made && { callbackUrl }),
    ...(id !== undefined && { id }),
    ...changes,
  };
}

async function readChanges(data: string, io: Io): Promise<object> {
  const changes = parseJson(data.startsWith('@') ? await readText(data.slice(1), io) : data, '--data');
  if (typeof changes === 'object' && changes !== null && !Array.isArray(changes)) return changes;
  throw new UsageError('--data must be a JSON object: the fields of the record.');
}
