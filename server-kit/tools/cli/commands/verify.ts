import { type Command, Option } from 'commander';
import {
  type CallbackSignature,
  type SignCallbackInput,
  signCallbackInSteps,
  type VerifyCallbackInput,
  verifyCallback,
} from '../../../client/signing/callbacks.ts';
import { equalInConstantTime } from '../../../client/signing/hmac.ts';
import { SignatureError, verifyRequest } from '../../../client/signing/signature.ts';
import { diagnoseSignature } from '../../sandbox/request-log/diagnosis.ts';
import { readOptions } from '../../sandbox/settings/options.ts';
import { findCallbackHints } from '../signing/callback-hints.ts';
import { addSecretOptions, readSecret, type SecretOptions } from '../signing/secret.ts';
import { readSignedPath, signedHeaders } from '../signing/signed-message.ts';
import { refusalOf, showVerdict, type Verdict } from '../signing/verdict.ts';
import { addBodyOptions, type BodyOptions, readBody, requireBody } from '../terminal/body.ts';
import type { Io } from '../terminal/io.ts';
import { addJsonOption, defaultSandboxUrl, readHeader, readTimestamp, readUrl } from '../terminal/options.ts';

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
    .addOption(
      new Option('--method <method>', 'the method, which helps to find a mistake').choices([
        'GET',
        'POST',
        'PUT',
      ]),
    )
    .action((options: RequestOptions) => verifyOneRequest(options, io));
  addCommonOptions(request).addHelpText('after', requestExamples);
  const callback = verify
    .command('callback')
    .summary('verify a callback')
    .description('Verifies a callback as parseCallback does.')
    .requiredOption('--url <url>', 'the callback URL that is registered with the payment', readUrl)
    .action((options: CallbackOptions) => verifyOneCallback(options, io));
  addCommonOptions(callback).addHelpText('after', callbackExamples);
}

const requestExamples = `
Example:
  $ transfer-checkout verify request --path /v1/payments --body-file body.json \\
      --signature 3f0c… --timestamp 1767346200`;

const callbackExamples = `
Example:
  $ transfer-checkout verify callback --url https://shop.example/callbacks --body-file callback.json \\
      --signature 3f0c… --timestamp 1767346200`;

function addCommonOptions(command: Command): Command {
  addBodyOptions(command)
    .requiredOption('--signature <hex>', 'the received header Request-Signature', readHeader)
    .requiredOption('--timestamp <seconds>', 'the received header Request-Timestamp', readHeader)
    .option('--at <seconds>', "the receiver's UNIX time (default: now)", readTimestamp);
  return addJsonOption(addSecretOptions(command));
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
  const verdict: Verdict = {
    refusal,
    received: { signature, timestamp },
    expected,
    rows: [
      ['path', path],
      ['body found', bodyText ?? 'none'],
      ['canonical body', expected?.canonicalBody ?? undefined],
      ['body hash', expected?.bodyHash || undefined],
      ['signed text', expected?.signedText],
      ['signature expected', expected?.signature],
    ],
    hints: refusal === undefined ? [] : hints,
    nowMs,
    secretFrom,
  };
  showVerdict(verdict, io, options.json);
}

async function verifyOneCallback(options: CallbackOptions, io: Io): Promise<void> {
  const { url: callbackUrl, signature, timestamp } = options;
  const rawBody = await requireBody(options, io);
  const { secret, secretFrom } = readSecret(options, io.env);
  const nowMs = receivedAt(options, io);
  const message = { callbackUrl, rawBody, signature, timestamp, secrets: [secret], now: nowMs };
  const refusal = await refusalOf(verifyCallback(message));
  const expected = await stepsOf({ secret, callbackUrl, rawBody, timestamp });
  const verdict: Verdict = {
    refusal,
    received: { signature, timestamp },
    expected,
    rows: [
      ['callback URL', callbackUrl],
      ['data', expected?.dataText],
      ['data hash', expected?.dataHash],
      ['signed text', expected?.signedText],
      ['signature expected', expected?.signature],
    ],
    hints: await hintsFor(refusal, message, expected),
    nowMs,
    secretFrom,
  };
  showVerdict(verdict, io, options.json);
}

/** Returns the signing steps; `undefined` for a body that cannot be signed. */
async function stepsOf(input: SignCallbackInput): Promise<CallbackSignature | undefined> {
  try {
    return await signCallbackInSteps(input);
  } catch (error) {
    if (error instanceof SignatureError) return undefined;
    throw error;
  }
}

async function hintsFor(
  refusal: SignatureError | undefined,
  message: VerifyCallbackInput,
  expected: CallbackSignature | undefined,
): Promise<readonly string[]> {
  if (refusal?.code === 'signature_mismatch') return findCallbackHints(message);
  const isDefaultForm = await equalInConstantTime(expected?.signature ?? '', message.signature ?? '');
  if (refusal !== undefined || isDefaultForm) return [];
  return ['Accepted in another form: with the URL in lower case, or with "data" serialized again.'];
}

/** Returns the receiver's time in milliseconds since the epoch. */
const receivedAt = ({ at }: CommonOptions, { now }: Io): number =>
  at === undefined ? now() : Number(at) * 1000;
