import * as v from 'valibot';
import { maxFinishedCallbacks } from '../../sandbox/callbacks/backlog.ts';
import type { ControlCallback } from '../../sandbox/index.ts';
import { createRemoteControl, notASandbox } from '../sandbox/remote-control.ts';
import type { Io } from '../terminal/io.ts';
import type { SignedCallback } from './post-callback.ts';

const isFinished = ({ nextAttemptAt }: ControlCallback): boolean => nextAttemptAt === null;

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

/** Distinguishes a sandbox's list of callbacks from a list of another server. */
const Log = v.array(v.looseObject({ id: v.string(), attempts: v.array(v.unknown()) }));

/** Reads the sandbox's callback log repeatedly. */
export type CallbackReader = {
  /**
   * Returns the attempts since the last read; the first read returns none.
   *
   * @throws {CliError} as `createRemoteControl`
   */
  readNew: () => Promise<Reading>;
};

export function createCallbackReader(io: Io, sandboxUrl: string): CallbackReader {
  const control = createRemoteControl(io, sandboxUrl);
  /** The callbacks of the last read; `undefined` before the first one. */
  let known: ReadonlyMap<string, ControlCallback> | undefined;
  return {
    async readNew() {
      const log = await control.listCallbacks();
      if (!v.is(Log, log)) throw notASandbox(sandboxUrl);
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
function mayHaveGap(log: readonly ControlCallback[], before: ReadonlyMap<string, ControlCallback>): boolean {
  const finished = log.filter(isFinished);
  const isAsBefore = ({ id, attempts }: ControlCallback): boolean => {
    const known = before.get(id);
    return known !== undefined && isFinished(known) && known.attempts.length === attempts.length;
  };
  return finished.length >= maxFinishedCallbacks && !finished.some(isAsBefore);
}

function sentSince(count: number, { attempts, ...callback }: ControlCallback): SentCallback[] {
  return attempts.slice(count).map((attempt) => ({ ...callback, ...attempt }));
}

const byMoment = (left: SentCallback, right: SentCallback): number =>
  Date.parse(left.at) - Date.parse(right.at);
