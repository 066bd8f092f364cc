import { type Command, Option } from 'commander';
import { signCallbackInSteps } from '../../../client/signing/callbacks.ts';
import { signRequest, toTimestamp } from '../../../client/signing/signature.ts';
import { parseObject } from '../../sandbox/input/json-object.ts';
import { toCurl } from '../signing/curl.ts';
import { addSecretOptions, readSecret, type SecretOptions } from '../signing/secret.ts';
import { readSignedPath, signedHeaders } from '../signing/signed-message.ts';
import { addBodyOptions, type BodyOptions, readBody, requireBody } from '../terminal/body.ts';
import { UsageError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import {
  addJsonOption,
  defaultSandboxUrl,
  readBaseUrl,
  readTimestamp,
  readUrl,
} from '../terminal/options.ts';
import { createPrinter, toRows } from '../terminal/printer.ts';

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
    .addOption(
      new Option('--method <method>', 'for the curl command (default: POST with a body, else GET)').choices([
        'GET',
        'POST',
        'PUT',
      ]),
    )
    .option(
      '--base-url <url>',
      'the base URL of the service, for the curl command',
      readBaseUrl,
      defaultSandboxUrl,
    )
    .action((options: RequestOptions) => signOneRequest(options, io));
  addCommonOptions(request).addHelpText('after', requestExamples);
  const callback = sign
    .command('callback')
    .summary('sign a callback')
    .description('Signs a callback as the service does: its URL, the hash of its "data", the timestamp.')
    .requiredOption('--url <url>', 'the callback URL as it is registered with the payment', readUrl)
    .action((options: CallbackOptions) => signOneCallback(options, io));
  addCommonOptions(callback).addHelpText('after', callbackExamples);
}

const requestExamples = `
Examples:
  $ transfer-checkout sign request --path /v1/payments/pay_1
  $ transfer-checkout sign request --path /v1/payments --body '{"reference":"ord_1"}'
  $ transfer-checkout sign request --path /v1/payments --body-file - < body.json`;

const callbackExamples = `
Examples:
  $ transfer-checkout sign callback --url https://shop.example/callbacks --body-file callback.json
  $ transfer-checkout sign callback --url https://shop.example/callbacks --body '{"event":"x","data":{}}'`;

function addCommonOptions(command: Command): Command {
  addBodyOptions(command).option('--timestamp <seconds>', 'UNIX time (default: now)', readTimestamp);
  return addJsonOption(addSecretOptions(command));
}

async function signOneRequest(options: RequestOptions, io: Io): Promise<void> {
  const { path, search } = readSignedPath(options.path);
  const given = await readBody(options, io);
  const hasBody = given !== undefined;
  const { method = hasBody ? 'POST' : 'GET', baseUrl, timestamp = toTimestamp(io.now()) } = options;
  if (method === 'GET' && hasBody) {
    throw new UsageError('A GET has no body; leave it out, or pass --method POST.');
  }
  const body = hasBody ? readObject(given) : undefined;
  const { secret, secretFrom } = readSecret(options, io.env);
  const { bodyText, bodyHash, signedText, signature } = await signRequest({ secret, path, body, timestamp });
  const url = baseUrl + path + search;
  const headers = signedHeaders(signature, timestamp, hasBody);
  const steps = { path, canonicalBody: bodyText ?? null, bodyHash, timestamp, signedText, signature };
  createPrinter(io, options.json).print({ method, url, headers, ...steps, secretFrom }, [
    ...toRows([
      ['path', path],
      ['canonical body', bodyText ?? 'none: no hash is signed'],
      ['body hash', hasBody ? bodyHash : undefined],
      ['timestamp', timestamp],
      ['signed text', signedText],
      ['signature', signature],
      ['secret', secretFrom],
    ]),
    '',
    ...toCurl({ method, url, headers, body: bodyText }),
  ]);
}

/** @throws {UsageError} for a body that the service refuses with any signature */
function readObject(text: string): unknown {
  try {
    return parseObject(text);
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

async function signOneCallback(options: CallbackOptions, io: Io): Promise<void> {
  const { url, timestamp = toTimestamp(io.now()) } = options;
  const rawBody = await requireBody(options, io);
  const { secret, secretFrom } = readSecret(options, io.env);
  const steps = await signCallbackInSteps({ secret, callbackUrl: url, rawBody, timestamp });
  const headers = signedHeaders(steps.signature, timestamp);
  createPrinter(io, options.json).print({ url, headers, timestamp, ...steps, secretFrom }, [
    ...toRows([
      ['callback URL', url],
      ['data', steps.dataText],
      ['data hash', steps.dataHash],
      ['timestamp', timestamp],
      ['signed text', steps.signedText],
      ['signature', steps.signature],
      ['secret', secretFrom],
    ]),
    '',
    ...toCurl({ method: 'POST', url, headers, body: rawBody }),
  ]);
}
