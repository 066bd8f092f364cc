import * as v from 'valibot';
import { maxFinishedCallbacks } from '../../sandbox/callbacks/backlog.ts';
import { CliError } from '../terminal/cli-error.ts';
import { fetchText } from '../terminal/fetch-text.ts';
import type { Io } from '../terminal/io.ts';
import type { SignedCallback } from './post-callback.ts';

/** What is read of the sandbox's log of callbacks; newest first, and of each the attempts oldest first. */
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

/** What was sent between two readings, oldest first. */
export type Reading = {
  sent: readonly SentCallback[];
  /** Whether so much was finished meanwhile that the sandbox may have forgotten some of it: that is missing here. */
  hasGap: boolean;
};

/** Reads the sandbox's log again and again. */
export type CallbackReader = {
  /**
   * What was sent since the last reading; the first one gives nothing.
   *
   * @throws {CliError} `connection_lost` or `timeout` where the sandbox cannot be reached now, `no_sandbox` where the
   *   address is of something else
   */
  readNew: () => Promise<Reading>;
};

export function createCallbackReader(io: Io, sandboxUrl: string): CallbackReader {
  /** What is known of each callback; `undefined` before the first reading. */
  let known: ReadonlyMap<string, CallbackLog[number]> | undefined;
  return {
    async readNew() {
      const log = await readLog(io, sandboxUrl);
      const now = new Map(log.map((callback) => [callback.id, callback]));
      const before = known ?? now;
      known = now;
      // Oldest first before they are sorted, for those of one moment.
      const sent = log
        .toReversed()
        .flatMap((callback) => sentSince(before.get(callback.id)?.attempts.length ?? 0, callback))
        .sort(byMoment);
      return { sent, hasGap: mayLack(log, before) };
    },
  };
}

/**
 * The sandbox forgets those first that were finished first: as long as it knows one that was finished before, or has room
 * for more, it has forgotten nothing since.
 */
function mayLack(log: CallbackLog, before: ReadonlyMap<string, CallbackLog[number]>): boolean {
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
