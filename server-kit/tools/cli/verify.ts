import type { Command } from 'commander';
import { equalInConstantTime } from '../../core/secrets.ts';
import {
  parseCallback,
  SignatureError,
  toTimestamp,
  type ParseCallbackInput as VerifyCallbackInput,
} from '../../core/signature.ts';
import { sandboxCredentials } from '../../engine/published-keys.ts';
import { defaultServiceDialect } from '../../service/dialect.ts';
import { signCallbackInSteps, verifyRequest } from '../../service/signatures.ts';
import { diagnoseSignature } from '../sandbox/http/diagnosis.ts';
import { readOptions } from '../sandbox/settings/options.ts';
import { addSecretOptions, readSecret, type SecretOptions } from './secrets.ts';
import { methodOption, readSignedPath, signedHeaders } from './sign.ts';
import {
  addBodyOptions,
  addJsonOption,
  type BodyOptions,
  CliError,
  createPrinter,
  defaultSandboxUrl,
  type Io,
  type Row,
  readBody,
  readHeader,
  readTimestamp,
  readUrl,
  requireBody,
  toLines,
} from './terminal.ts';

type CommonOptions = BodyOptions &
  SecretOptions & { signature: string; timestamp: string; at?: string; json?: boolean };
type RequestOptions = CommonOptions & { path: string; method?: string };
type CallbackOptions = CommonOptions & { url: string };

export function addVerifyCommands(program: Command, io: Io): void {
  const verify = program
    .command('verify')
    .description('verify a request or a callback and show the differences');
  const request = verify
    .command('request')
    .summary('verify a request')
    .description('Verifies a signed request as the service does, and explains a refusal.')
    .requiredOption('--path <path>', 'the path from /v1')
    .addOption(methodOption('the method, which helps to find a mistake'))
    .action((options: RequestOptions) => verifyOneRequest(options, io));
  addCommonOptions(
    request,
    'verify request --path /v1/payments --body-file body.json \\\n      --signature 3f0c… --timestamp 1767346200',
  );
  const callback = verify
    .command('callback')
    .summary('verify a callback')
    .description('Verifies a callback as parseCallback does.')
    .requiredOption('--url <url>', 'the callback URL that is registered with the payment', readUrl)
    .action((options: CallbackOptions) => verifyOneCallback(options, io));
  addCommonOptions(
    callback,
    'verify callback --url https://shop.example/callbacks --body-file callback.json \\\n      --signature 3f0c… --timestamp 1767346200',
  );
}

function addCommonOptions(command: Command, example: string): void {
  addBodyOptions(command)
    .requiredOption('--signature <hex>', 'the received header Request-Signature', readHeader)
    .requiredOption('--timestamp <seconds>', 'the received header Request-Timestamp', readHeader)
    .option('--at <seconds>', "the receiver's UNIX time (default: now)", readTimestamp);
  addJsonOption(addSecretOptions(command), example);
}

async function verifyOneRequest(options: RequestOptions, io: Io): Promise<void> {
  const { path, search } = readSignedPath(options.path);
  const { signature, timestamp } = options;
  const bodyText = await readBody(options, io);
  const { secret, secretFrom } = readSecret(options, io.env);
  const nowMs = receivedAt(options, io);
  const message = { path, bodyText, signature, timestamp, secrets: [secret], now: nowMs };
  const refusal = await refusalOf(verifyRequest(message));
  const { method = bodyText === undefined ? 'GET' : 'POST' } = options;
  const headers = signedHeaders(signature, timestamp);
  const request = new Request(defaultSandboxUrl + path + search, { method, headers });
  const settings = readOptions({ apiSecret: secret });
  const diagnosis = await diagnoseSignature({ request, path, bodyText, nowMs }, settings);
  const { expected, hints = [] } = diagnosis ?? {};
  const rows: Row[] = [
    ['path', path],
    ['body found', bodyText ?? 'none'],
    ['canonical body', expected?.canonicalBody ?? undefined],
    ['body hash', expected?.bodyHash || undefined],
  ];
  const verdict = { refusal, expected, rows, hints: refusal === undefined ? [] : hints, nowMs, secretFrom };
  showVerdict(verdict, options, io);
}

async function verifyOneCallback(options: CallbackOptions, io: Io): Promise<void> {
  const { url: callbackUrl, signature, timestamp } = options;
  const rawBody = await requireBody(options, io);
  const { secret, secretFrom } = readSecret(options, io.env);
  const nowMs = receivedAt(options, io);
  const message = { callbackUrl, rawBody, signature, timestamp, secrets: [secret], now: nowMs };
  const refusal = await refusalOf(parseCallback(message));
  // There are none for a body that cannot be signed.
  const steps = signCallbackInSteps({ secret, callbackUrl, rawBody, timestamp });
  const expected = await steps.catch(() => undefined);
  const rows: Row[] = [
    ['callback URL', callbackUrl],
    ['data', expected?.dataText],
    ['data hash', expected?.dataHash],
  ];
  const hints = await hintsFor(refusal, message, expected?.signature);
  showVerdict({ refusal, expected, rows, hints, nowMs, secretFrom }, options, io);
}

const receivedAt = ({ at }: CommonOptions, { now }: Io): number =>
  at === undefined ? now() : Number(at) * 1000;

/** Returns why a message is refused. */
const refusalOf = (verification: Promise<unknown>): Promise<SignatureError | undefined> =>
  verification
    .then(() => undefined)
    .catch((error: unknown) => {
      if (error instanceof SignatureError) return error;
      throw error;
    });

type Verdict = {
  refusal: SignatureError | undefined;
  expected: { signedText: string; signature: string } | undefined;
  rows: readonly Row[];
  hints: readonly string[];
  nowMs: number;
  secretFrom: string;
};

function showVerdict(verdict: Verdict, { signature, timestamp, json }: CommonOptions, io: Io): void {
  const { refusal, expected, rows, hints, nowMs, secretFrom } = verdict;
  const { print, paint } = createPrinter(io, json);
  const tolerance = `within ${defaultServiceDialect.timestampToleranceSeconds} s of ${toTimestamp(nowMs)}`;
  const valid = refusal === undefined;
  const received = { signature, timestamp };
  print({ valid, reason: refusal?.code ?? null, received, expected: expected ?? null, hints, secretFrom }, [
    ...toLines([
      ...rows,
      ['signed text', expected?.signedText],
      ['signature expected', expected?.signature],
      ['signature found', signature],
      ['timestamp expected', tolerance],
      ['timestamp found', timestamp],
      ['secret', secretFrom],
    ]),
    '',
    valid ? paint('green', 'Valid.') : paint('red', `Not valid: ${refusal.code}.`),
    ...hints,
  ]);
  if (!valid) throw new CliError(refusal.code, refusal.message, { cause: refusal });
}

async function hintsFor(
  refusal: SignatureError | undefined,
  message: VerifyCallbackInput,
  expected = '',
): Promise<readonly string[]> {
  if (refusal?.code === 'signature_mismatch') return findMistakes(message);
  const isDefaultForm = await equalInConstantTime(expected, message.signature ?? '');
  if (refusal !== undefined || isDefaultForm) return [];
  return ['Accepted in another form: with the URL in lower case, or with "data" serialized again.'];
}

/** Returns the common mistakes with which a callback would be valid. */
async function findMistakes(message: VerifyCallbackInput): Promise<string[]> {
  const { callbackUrl: url } = message;
  const otherEnd = url.endsWith('/') ? url.slice(0, -1) : `${url}/`;
  const otherScheme = url.replace(/^https?:/i, /^https:/i.test(url) ? 'http:' : 'https:');
  const mistakes: readonly [hint: string, change: Partial<VerifyCallbackInput>][] = [
    ['The registered URL differs in its final slash.', { callbackUrl: otherEnd }],
    ['The registered URL differs in its scheme: http or https.', { callbackUrl: otherScheme }],
    [
      "It is signed with the sandbox's own secret, which is not the secret here.",
      { secrets: [sandboxCredentials.apiSecret] },
    ],
  ];
  const hints: string[] = [];
  for (const [hint, change] of mistakes)
    if (!(await refusalOf(parseCallback({ ...message, ...change })))) hints.push(hint);
  const unexplained =
    'Compare URL, data hash and signed text with yours, in this order; if all are equal, the secrets differ.';
  return hints.length > 0 ? hints : [unexplained];
}
