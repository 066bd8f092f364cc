import { type Command, Option } from 'commander';
import { signRequest, toTimestamp } from '../../core/signature.ts';
import { signCallbackInSteps } from '../../service/signatures.ts';
import { addSecretOptions, readSecret, type SecretOptions } from './secrets.ts';
import {
  addBodyOptions,
  addJsonOption,
  type BodyOptions,
  CliError,
  createPrinter,
  defaultSandboxUrl,
  type Io,
  type Printer,
  type Row,
  readBaseUrl,
  readBody,
  readObject,
  readTimestamp,
  readUrl,
  requireBody,
  toLines,
} from './terminal.ts';

type CommonOptions = BodyOptions & SecretOptions & { timestamp?: string; json?: boolean };
type RequestOptions = CommonOptions & { path: string; method?: string; baseUrl: string };
type CallbackOptions = CommonOptions & { url: string };

export function addSignCommands(program: Command, io: Io): void {
  const sign = program.command('sign').description('sign a request or a callback and show every step');
  const request = sign
    .command('request')
    .summary('sign a request to the service')
    .description('Signs a request to the service: its path, the hash of its body, the timestamp.')
    .requiredOption('--path <path>', 'the path from /v1; its query is not signed')
    .addOption(methodOption('for the curl command (default: POST with a body, else GET)'))
    .option('--base-url <url>', "the service's URL, for the curl command", readBaseUrl, defaultSandboxUrl)
    .action((options: RequestOptions) => signOneRequest(options, io));
  addCommonOptions(
    request,
    'sign request --path /v1/payments/pay_1',
    `sign request --path /v1/payments --body '{"reference":"ord_1"}'`,
    'sign request --path /v1/payments --body-file - < body.json',
  );
  const callback = sign
    .command('callback')
    .summary('sign a callback')
    .description('Signs a callback as the service does: its URL, the hash of its "data", the timestamp.')
    .requiredOption('--url <url>', 'the callback URL as it is registered with the payment', readUrl)
    .action((options: CallbackOptions) => signOneCallback(options, io));
  addCommonOptions(
    callback,
    'sign callback --url https://shop.example/callbacks --body-file callback.json',
    `sign callback --url https://shop.example/callbacks --body '{"event":"x","data":{}}'`,
  );
}

function addCommonOptions(command: Command, ...examples: readonly string[]): void {
  addBodyOptions(command).option('--timestamp <seconds>', 'UNIX time (default: now)', readTimestamp);
  addJsonOption(addSecretOptions(command), ...examples);
}

async function signOneRequest(options: RequestOptions, io: Io): Promise<void> {
  const { path, search } = readSignedPath(options.path);
  const given = await readBody(options, io);
  const hasBody = given !== undefined;
  const { method = hasBody ? 'POST' : 'GET', baseUrl, timestamp = toTimestamp(io.now()) } = options;
  if (method === 'GET' && hasBody)
    throw new CliError('usage', 'A GET has no body; leave it out, or pass --method POST.');
  const body = hasBody ? readObject(given, '--body') : undefined;
  const { secret, secretFrom } = readSecret(options, io.env);
  const { bodyText, ...signed } = await signRequest({ secret, path, body, timestamp });
  const rows: Row[] = [
    ['path', path],
    ['canonical body', bodyText ?? 'none: no hash is signed'],
    ['body hash', hasBody ? signed.bodyHash : undefined],
  ];
  const message = { method, url: baseUrl + path + search, body: bodyText, secretFrom };
  const steps = { path, canonicalBody: bodyText ?? null, ...signed, timestamp };
  printSigned(message, steps, rows, createPrinter(io, options.json));
}

async function signOneCallback(options: CallbackOptions, io: Io): Promise<void> {
  const { url, timestamp = toTimestamp(io.now()) } = options;
  const rawBody = await requireBody(options, io);
  const { secret, secretFrom } = readSecret(options, io.env);
  const steps = await signCallbackInSteps({ secret, callbackUrl: url, rawBody, timestamp });
  const rows: Row[] = [
    ['callback URL', url],
    ['data', steps.dataText],
    ['data hash', steps.dataHash],
  ];
  const message = { method: 'POST', url, body: rawBody, secretFrom };
  printSigned(message, { ...steps, timestamp }, rows, createPrinter(io, options.json));
}

type SignedMessage = { method: string; url: string; body: string | undefined; secretFrom: string };

/** Prints the steps of a signature, and a curl command that sends the message. */
function printSigned(
  { method, url, body, secretFrom }: SignedMessage,
  steps: { timestamp: string; signedText: string; signature: string },
  rows: readonly Row[],
  { print }: Printer,
): void {
  const { timestamp, signedText, signature } = steps;
  const headers = signedHeaders(signature, timestamp, body !== undefined);
  print({ method, url, headers, ...steps, secretFrom }, [
    ...toLines([
      ...rows,
      ['timestamp', timestamp],
      ['signed text', signedText],
      ['signature', signature],
      ['secret', secretFrom],
    ]),
    '',
    toCurl(method, url, headers, body),
  ]);
}

export const methodOption = (description: string): Option =>
  new Option('--method <method>', description).choices(['GET', 'POST', 'PUT']);

/** Splits the signed path from the unsigned query. */
export function readSignedPath(text: string): { path: string; search: string } {
  const [, path, search = ''] = /^(\/v1\/[^?#\s]+)(\?[^#\s]*)?$/i.exec(text) ?? [];
  if (path !== undefined) return { path, search };
  const message = 'The path must begin with /v1, without host and base path: /v1/payments.';
  throw new CliError('usage', message);
}

export const signedHeaders = (
  signature: string,
  timestamp: string,
  hasBody = true,
): Record<string, string> => ({
  ...(hasBody && { 'Content-Type': 'application/json' }),
  'Request-Signature': signature,
  'Request-Timestamp': timestamp,
});

function toCurl(method: string, url: string, headers: Record<string, string>, body?: string): string {
  const parts = [
    `curl -X ${method} ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
