import * as v from 'valibot';
import { CliError } from './cli-error.ts';
import { fetchText } from './fetch-text.ts';
import type { Io } from './io.ts';
import type { SignedCallback } from './post-callback.ts';

/** What is read of the sandbox's log of callbacks; newest first, and of each the attempts oldest first. */
const CallbackLog = v.object({
  data: v.array(
    v.object({
      id: v.string(),
      event: v.string(),
      url: v.string(),
      body: v.string(),
      attempts: v.array(
        v.object({ at: v.string(), signature: v.string(), timestamp: v.string(), reason: v.string() }),
      ),
    }),
  ),
});
type CallbackLog = v.InferOutput<typeof CallbackLog>['data'];

/** One sending of a callback by the sandbox. */
export type SentCallback = SignedCallback & {
  id: string;
  event: string;
  /** The URL that is registered with the record, and signed. */
  url: string;
  /** By the sandbox's clock, in ISO 8601. */
  at: string;
  reason: string;
};

/** Reads the sandbox's log again and again. */
export type CallbackReader = {
  /**
   * What was sent since the last reading, oldest first; the first one gives nothing.
   *
   * @throws {CliError} `connection_lost` or `timeout` where the sandbox cannot be reached now, `no_sandbox` where the
   *   address is of something else
   */
  readNew: () => Promise<readonly SentCallback[]>;
};

export function createCallbackReader(io: Io, sandboxUrl: string): CallbackReader {
  /** How many attempts of each callback are known; `undefined` before the first reading. */
  let known: Map<string, number> | undefined;
  return {
    async readNew() {
      const log = await readLog(io, sandboxUrl);
      const before = known ?? new Map(log.map(({ id, attempts }) => [id, attempts.length]));
      known = new Map(log.map(({ id, attempts }) => [id, attempts.length]));
      // Oldest first before they are sorted, for those of one moment.
      return log
        .toReversed()
        .flatMap((callback) => sentSince(before.get(callback.id) ?? 0, callback))
        .sort(byMoment);
    },
  };
}

function sentSince(count: number, { attempts, ...callback }: CallbackLog[number]): SentCallback[] {
  return attempts.slice(count).map((attempt) => ({ ...callback, ...attempt }));
}

const byMoment = (left: SentCallback, right: SentCallback): number =>
  Date.parse(left.at) - Date.parse(right.at);

/** Far beyond a thousand callbacks; what is no sandbox may answer without end. */
const maxLogBytes = 100_000_000;

async function readLog(io: Io, sandboxUrl: string): Promise<CallbackLog> {
  const { status, text } = await fetchText(io, `${sandboxUrl}/_sandbox/callbacks`, maxLogBytes);
  // A sandbox that is just starting, or a gateway before it.
  if (status >= 500)
    throw new CliError('connection_lost', `${sandboxUrl} answered ${status}; look at its log.`);
  const log = v.safeParse(CallbackLog, parseOrNothing(text));
  if (log.success) return log.output.data;
  const message = `${sandboxUrl} is no sandbox: its answer (${status}) is no log of callbacks; pass --sandbox with its address.`;
  throw new CliError('no_sandbox', message);
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Refused by the schema, with what to do.
    return undefined;
  }
}
