import * as v from 'valibot';
import { maxFinishedCallbacks } from '../../sandbox/callbacks/backlog.ts';
import { CliError } from '../terminal/cli-error.ts';
import { fetchText } from '../terminal/fetch-text.ts';
import type { Io } from '../terminal/io.ts';
import type { SignedCallback } from './post-callback.ts';

/** The sandbox's callback log, newest first, with attempts oldest first. */
const CallbackLog = v.object({
  data: v.array(
    v.object({
      id: v.string(),
      event: v.string(),
      url: v.string(),
      body: v.string(),
      nextAttemptAt: v.nullable(v.string()),
      attempts: v.array(
        v.object({ at: v.string(), signature: v.string(), timestamp: v.string(), reason: v.string() }),
      ),
    }),
  ),
});
type CallbackLog = v.InferOutput<typeof CallbackLog>['data'];

const isFinished = ({ nextAttemptAt }: CallbackLog[number]): boolean => nextAttemptAt === null;

/** One attempt of the sandbox to send a callback. */
export type SentCallback = SignedCallback & {
  id: string;
  event: string;
  /** The URL that is registered with the record and signed. */
  url: string;
  /** By the sandbox's clock, in ISO 8601. */
  at: string;
  reason: string;
};

/** Attempts between two reads, oldest first. */
export type Reading = {
  sent: readonly SentCallback[];
  /** Whether attempts may be missing, because the sandbox has removed their callbacks since the last read. */
  hasGap: boolean;
};

/** Reads the sandbox's callback log repeatedly. */
export type CallbackReader = {
  /**
   * Returns the attempts since the last read; the first read returns none.
   *
   * @throws {CliError} `connection_lost` or `timeout` when the sandbox cannot be reached, `no_sandbox` when the URL is not
   *   a sandbox
   */
  readNew: () => Promise<Reading>;
};

export function createCallbackReader(io: Io, sandboxUrl: string): CallbackReader {
  /** The callbacks of the last read; `undefined` before the first one. */
  let known: ReadonlyMap<string, CallbackLog[number]> | undefined;
  return {
    async readNew() {
      const log = await readLog(io, sandboxUrl);
      const now = new Map(log.map((callback) => [callback.id, callback]));
      const before = known ?? now;
      known = now;
      // Reversed before the stable sort, so that attempts of the same time stay oldest first.
      const sent = log
        .toReversed()
        .flatMap((callback) => sentSince(before.get(callback.id)?.attempts.length ?? 0, callback))
        .sort(byMoment);
      return { sent, hasGap: mayHaveGap(log, before) };
    },
  };
}

/**
 * The sandbox removes the callbacks that finished first. While its log has space, or still has a callback that had finished
 * before the last read, none is missing.
 */
function mayHaveGap(log: CallbackLog, before: ReadonlyMap<string, CallbackLog[number]>): boolean {
  const finished = log.filter(isFinished);
  const isAsBefore = ({ id, attempts }: CallbackLog[number]): boolean => {
    const known = before.get(id);
    return known !== undefined && isFinished(known) && known.attempts.length === attempts.length;
  };
  return finished.length >= maxFinishedCallbacks && !finished.some(isAsBefore);
}

function sentSince(count: number, { attempts, ...callback }: CallbackLog[number]): SentCallback[] {
  return attempts.slice(count).map((attempt) => ({ ...callback, ...attempt }));
}

const byMoment = (left: SentCallback, right: SentCallback): number =>
  Date.parse(left.at) - Date.parse(right.at);

/** Far more than a thousand callbacks; a server that is not a sandbox can send an endless response. */
const maxLogBytes = 100_000_000;

async function readLog(io: Io, sandboxUrl: string): Promise<CallbackLog> {
  const { status, text } = await fetchText(io, `${sandboxUrl}/_sandbox/callbacks`, maxLogBytes);
  // A sandbox that is starting, or a gateway in front of it.
  if (status >= 500)
    throw new CliError('connection_lost', `${sandboxUrl} responded with ${status}; see its log.`);
  const log = v.safeParse(CallbackLog, parseOrUndefined(text));
  if (log.success) return log.output.data;
  const message = `${sandboxUrl} is not a sandbox: its response (${status}) is not a callback log; pass --sandbox with the sandbox's address.`;
  throw new CliError('no_sandbox', message);
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses it with a useful message.
    return undefined;
  }
}
