import * as v from 'valibot';
import { ErrorEnvelope } from '../../../client/errors/error-envelope.ts';
import { controlCalls } from '../../sandbox/control/control.ts';
import type { ControlCall } from '../../sandbox/control/control-call.ts';
import type { AnyControl } from '../../testing/create-record.ts';
import { CliError } from '../terminal/cli-error.ts';
import { fetchText, type TextResponse } from '../terminal/fetch-text.ts';
import type { Io } from '../terminal/io.ts';

/** More than any list of records is long; a server that is not a sandbox can send an endless response. */
const maxResponseBytes = 100_000_000;

/**
 * Creates the control calls of a sandbox over HTTP. They throw a `CliError`: the sandbox's own code and message, or
 * `connection_lost` (also for a gateway's own error), `timeout`, and `no_sandbox` for a server that is not a sandbox.
 */
export function createRemoteControl(io: Io, sandboxUrl: string): AnyControl {
  const send = async (
    { method, path, request }: ControlCall,
    args: readonly unknown[],
  ): Promise<TextResponse> => {
    const names = path.match(/\{\w+\}/g) ?? [];
    const filled = names.reduce(
      (text, name, index) => text.replace(name, encodeURIComponent(String(args[index]))),
      path as string,
    );
    const body = request === undefined ? undefined : (args[names.length] ?? {});
    return fetchText(io, sandboxUrl + filled, maxResponseBytes, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  };
  const calls = (Object.entries(controlCalls) as [string, ControlCall][]).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      const { status, text } = await send(call, args);
      return readResult({ status, text, sandboxUrl, isList: name.startsWith('list') });
    },
  ]);
  return Object.fromEntries(calls);
}

/** A list is sent as `{ data }`. */
const List = v.object({ data: v.array(v.unknown()) });

type Received = { status: number; text: string; sandboxUrl: string; isList: boolean };

function readResult({ status, text, sandboxUrl, isList }: Received): unknown {
  const json = parseJson(text);
  if (status === 200 && v.is(List, json)) return json.data;
  if (status === 200 && !isList && v.is(v.looseObject({}), json)) return json;
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
