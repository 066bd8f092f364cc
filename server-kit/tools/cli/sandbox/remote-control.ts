import * as v from 'valibot';
import { ErrorEnvelope } from '../../../client/errors/error-envelope.ts';
import { controlResult, createRemoteCalls } from '../../sandbox/calls/control-routes.ts';
import type { SandboxControl } from '../../sandbox/index.ts';
import type { AnyControl } from '../../testing/create-record.ts';
import { CliError } from '../terminal/cli-error.ts';
import { fetchText } from '../terminal/fetch-text.ts';
import type { Io } from '../terminal/io.ts';

/** More than any list of records is long; a server that is not a sandbox can send an endless response. */
const maxResponseBytes = 100_000_000;

/**
 * Creates the control calls of a sandbox over HTTP. They throw a `CliError`: the sandbox's own code and message, or
 * `connection_lost` (also for a gateway's own error), `timeout`, and `no_sandbox` for a server that is not a sandbox.
 */
export const createRemoteControl = (io: Io, sandboxUrl: string): AnyControl =>
  createRemoteCalls(async (name, path, init) => {
    const { status, text } = await fetchText(io, sandboxUrl + path, maxResponseBytes, init);
    return readResult({ name, status, text, sandboxUrl });
  }) as AnyControl;

type Received = { name: keyof SandboxControl; status: number; text: string; sandboxUrl: string };

function readResult({ name, status, text, sandboxUrl }: Received): unknown {
  const json = parseJson(text);
  const result = v.safeParse(controlResult(name), json);
  if (status === 200 && result.success) return result.output;
  const refusal = v.safeParse(ErrorEnvelope, json);
  const { code, message } = refusal.success ? refusal.output.error : { code: 'unknown', message: '' };
  if (code !== 'unknown' && code !== 'route_not_found') throw new CliError(code, message);
  // A sandbox that is starting, or a gateway in front of it.
  if (status >= 500)
    throw new CliError('connection_lost', `${sandboxUrl} responded with ${status}; see its log.`);
  throw notASandbox(sandboxUrl);
}

export const notASandbox = (sandboxUrl: string): CliError =>
  new CliError(
    'no_sandbox',
    `${sandboxUrl} is not a sandbox: its response is not that of a control call; check the address.`,
  );

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
