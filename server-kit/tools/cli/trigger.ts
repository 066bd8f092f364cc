import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { type Currency, currencies } from '../../core/fields.ts';
import { toTimestamp } from '../../core/signature.ts';
import { signCallback } from '../../service/signatures.ts';
import { isSuccess } from '../sandbox/callbacks/attempts.ts';
import { notifiedRecords } from '../sandbox/callbacks/record-change.ts';
import { splitCredentials } from '../sandbox/callbacks/url-credentials.ts';
import { createEventData, parseEventName } from '../testing/callback.ts';
import type { NotifiedEvent } from '../testing/create-record.ts';
import { fetchText } from './requests.ts';
import { addSecretOptions, readSecret, type SecretOptions } from './secrets.ts';
import { signedHeaders } from './sign.ts';
import {
  addJsonOption,
  CliError,
  createPrinter,
  defaultSandboxUrl,
  type Io,
  printable,
  readBaseUrl,
  readObject,
  readText,
  readUrl,
  readWholeNumber,
  toLines,
} from './terminal.ts';
import { triggerInSandbox } from './trigger-in-sandbox.ts';

type TriggerOptions = SecretOptions & {
  to?: string;
  inSandbox?: string;
  url?: string;
  reference: string;
  id?: string;
  amount: number;
  currency: Currency;
  data?: string;
  json?: boolean;
};

/** It conflicts with what has no effect on a record in a sandbox. */
const inSandboxOption = new Option('--in-sandbox [url]', 'make it in this sandbox')
  .preset(defaultSandboxUrl)
  .argParser(readBaseUrl)
  .conflicts(['url', 'id', 'data']);

export function addTriggerCommand(program: Command, io: Io): void {
  const command = program
    .command('trigger')
    .summary('send a signed callback, or make an event in a sandbox')
    .description(
      'Sends one signed callback to your receiver and prints the response; its record exists nowhere else. With --in-sandbox, ' +
        'makes the record in a running sandbox, or moves the payment that has the reference, and the sandbox sends the callbacks.',
    )
    .addArgument(new Argument('<event>', 'the event, such as payment.succeeded').argParser(readEvent))
    .option('--to <url>', 'where to send it; with --in-sandbox, the callback URL of a new record', readUrl)
    .addOption(inSandboxOption)
    .option(
      '--url <url>',
      'the signed callback URL, as your server knows it (default: that of --to)',
      readUrl,
    )
    .option('--reference <reference>', 'the reference of the record', 'ord_1001')
    .option('--id <id>', 'the id of the record (default: a new one)')
    .option('--amount <amount>', 'the amount in minor units', readWholeNumber(1, 2 ** 53 - 1), 1_250_000)
    .addOption(new Option('--currency <code>', "the amount's currency").choices(currencies).default('NGN'))
    .option('--data <json>', 'additional or changed fields of the record; @FILE reads a file')
    .addHelpText('after', `\nEvents:${events.join('')}`)
    .action((event: NotifiedEvent, options: TriggerOptions) =>
      runTrigger(event, options, io).catch((error: unknown) => {
        throw error instanceof RangeError ? new CliError('usage', error.message, { cause: error }) : error;
      }),
    );
  addJsonOption(
    addSecretOptions(command),
    'trigger payment.succeeded --to http://localhost:3000/callbacks --reference ord_1',
    'trigger payment.succeeded --in-sandbox --reference tc_8f0c',
    `trigger payout.failed --to http://localhost:3000/hooks --data '{"failureCode":"account_closed"}'`,
    'trigger invoice.paid --to http://localhost:3000/hooks --url https://shop.example/hooks',
  );
}

const kinds = Object.entries(notifiedRecords);
const events = kinds.map(([kind, { statuses }]) => `\n  ${kind}.${statuses.join(' | ')}`);

function readEvent(name: string): NotifiedEvent {
  try {
    return parseEventName(name);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

async function runTrigger(event: NotifiedEvent, options: TriggerOptions, io: Io): Promise<void> {
  const { to, inSandbox: url, reference, amount, currency, json } = options;
  if (url !== undefined) {
    const { secret: apiSecret } = readSecret(options, io.env);
    const input = { reference, amount, currency, callbackUrl: to };
    return triggerInSandbox(event, input, { url, apiSecret, json }, io);
  }
  if (to === undefined) throw new CliError('usage', 'Pass --to, the URL of your receiver, or --in-sandbox.');
  return sendCallback(event, { ...options, to }, io);
}

type SendOptions = TriggerOptions & { to: string };

/** The longest part of a response that a person reads, in characters. */
const maxShownText = 2_000;

async function sendCallback(notified: NotifiedEvent, options: SendOptions, io: Io): Promise<void> {
  const event = `${notified.kind}.${notified.status}`;
  const { to, url = to } = options;
  const { secret, secretFrom } = readSecret(options, io.env);
  const body = JSON.stringify({ event, data: await createData(notified, options, io) });
  const timestamp = toTimestamp(io.now());
  const signature = await signCallback({ secret, callbackUrl: url, rawBody: body, timestamp });
  const target = splitCredentials(to);
  const headers = { ...target.headers, ...signedHeaders(signature, timestamp) };
  const { status, text, durationMs } = await fetchText(io, target.url, { method: 'POST', headers, body });
  const { print, paint } = createPrinter(io, options.json);
  const isDelivered = isSuccess(status);
  print(
    { event, to, url, body, signature, timestamp, secretFrom, response: { status, body: text, durationMs } },
    [
      ...toLines([
        ['event', event],
        ['to', to],
        ['signed URL', url],
        ['sent', body],
        ['record', 'made up for this callback; --in-sandbox makes one that the service knows'],
        ['secret', secretFrom],
      ]),
      '',
      `${paint(isDelivered ? 'green' : 'red', String(status))}  ${durationMs} ms`,
      ...(text === '' ? [] : [printable(text.slice(0, maxShownText).trimEnd())]),
    ],
  );
  if (isDelivered) return;
  const message = `${to} responded with ${status}; a callback is delivered when the response is 2xx.`;
  throw new CliError('not_accepted', message);
}

async function createData(notified: NotifiedEvent, options: TriggerOptions, io: Io): Promise<object> {
  const { reference, amount, currency, id, data, to, url: callbackUrl = to } = options;
  const made = await createEventData(notified, { reference, amount, currency, callbackUrl }, io);
  const text = data?.startsWith('@') ? await readText(data.slice(1), io) : data;
  const changes = text === undefined ? {} : readObject(text, '--data');
  return { ...made, ...(id !== undefined && { id }), ...changes };
}
