import * as v from 'valibot';
import { settleWithin } from '../../async/wait.ts';
import type { Checkout } from '../../checkout.ts';
import { type DeadLetter, retryDeadLetters, toDeadLetter } from '../../outbox/dead-letters.ts';
import { outboxOutcomes } from '../../stores/outbox-event.ts';
import { UsageError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { callCheckout, readReconcileKey } from './call-checkout.ts';
import { loadCheckout } from './load-checkout.ts';

/** Where the command finds the checkout: a module that exports it, or its address. */
export type SourceOptions = { module?: string; export?: string; url?: string; keyEnv: string };

/** The dead letters of one checkout. */
export type DeadLetterSource = {
  /** All of them, the oldest first; of a checkout that is reached by its address, the oldest hundred. */
  list: () => Promise<{ total: number; deadLetters: DeadLetter[] }>;
  /** Makes one due again, or all where `key` is `null`. Gives how many. */
  retry: (key: string | null) => Promise<number>;
  close: () => Promise<void>;
};

/** What the command needs of a checkout, whichever copy of the package has made it. */
type WithDeadLetters = Pick<Checkout, 'deadLetters' | 'settled' | 'stop'>;

/** A hundred dead letters with the longest failures, in characters that JSON escapes. */
const maxListBytes = 2_000_000;
const maxAnswerBytes = 100_000;

/** How long handlers that are called in this process are waited for; what is left is for the servers. */
const handlersWithinMs = 20_000;

/** @throws {UsageError} where neither is given, or the key is missing */
export async function openSource(options: SourceOptions, io: Io): Promise<DeadLetterSource> {
  if (options.module !== undefined) return openModule({ ...options, module: options.module }, io);
  if (options.url !== undefined) return openUrl(options.url, options.keyEnv, io);
  throw new UsageError('Pass --module with a module that exports your checkout, or --url with its address.');
}

async function openModule(options: { module: string; export?: string }, io: Io): Promise<DeadLetterSource> {
  const { deadLetters, settled, stop } = await loadCheckout<WithDeadLetters>(options, [
    'deadLetters',
    'settled',
    'stop',
  ]);
  return {
    async list() {
      const listed = (await deadLetters.list()).map(toDeadLetter);
      return { total: listed.length, deadLetters: listed };
    },
    async retry(key) {
      const retried = await retryDeadLetters(deadLetters, key);
      // The checkout calls the handlers here, too, where the module has any.
      if (retried > 0) await settleWithin(io.wait, handlersWithinMs, settled(), io.signal).catch(() => {});
      return retried;
    },
    close: () => stop(),
  };
}

const DeadLetterEntry = v.object({
  key: v.string(),
  orderId: v.string(),
  outcome: v.picklist(outboxOutcomes),
  reference: v.string(),
  tries: v.number(),
  failure: v.nullable(v.string()),
});
const List = v.object({ total: v.number(), deadLetters: v.array(DeadLetterEntry) });
const Retried = v.object({ retried: v.number() });

function openUrl(url: string, keyEnv: string, io: Io): DeadLetterSource {
  const key = readReconcileKey(keyEnv, io.env);
  const base = { key, keyEnv, url: `${url}/dead-letters` };
  return {
    list: () => callCheckout({ ...base, method: 'GET', maxBytes: maxListBytes }, List, io),
    async retry(name) {
      const body = name === null ? { all: true } : { key: name };
      const route = {
        ...base,
        url: `${base.url}/retry`,
        method: 'POST',
        body,
        maxBytes: maxAnswerBytes,
      } as const;
      return (await callCheckout(route, Retried, io)).retried;
    },
    close: async () => {},
  };
}
