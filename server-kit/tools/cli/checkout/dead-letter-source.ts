import * as v from 'valibot';
import type { Checkout } from '../../../checkout/checkout.ts';
import { outboxOutcomes } from '../../../checkout/order/event.ts';
import { type DeadLetter, retryDeadLetters, toDeadLetter } from '../../../checkout/outbox/dead-letters.ts';
import { settleWithin } from '../../../client/async/wait.ts';
import type { Io } from '../terminal/io.ts';
import { callCheckout, readReconcileKey } from './call-checkout.ts';
import { loadCheckout } from './load-checkout.ts';
import { missingSource, type SourceOptions } from './source-options.ts';

/** The dead letters of one checkout. */
export type DeadLetterSource = {
  /** Lists dead letters, oldest first: all of a module's checkout, or the oldest hundred at a URL. */
  list: () => Promise<{ total: number; deadLetters: DeadLetter[] }>;
  /** Makes one dead letter due again, or all for `null`. Returns how many. */
  retry: (key: string | null) => Promise<number>;
  close: () => Promise<void>;
};

/** The members of a checkout that the command uses. Another copy of the package may have created it. */
type WithDeadLetters = Pick<Checkout, 'deadLetters' | 'settled' | 'stop'>;

/** Enough for a hundred dead letters with the longest failures in escaped characters. */
const maxListBytes = 2_000_000;
const maxResponseBytes = 100_000;

/** How long the command waits for handlers in this process; the servers call the remaining ones. */
const handlersWithinMs = 20_000;

/** @throws {UsageError} without a module and a URL, or without a key */
export async function openSource(options: SourceOptions, io: Io): Promise<DeadLetterSource> {
  if (options.module !== undefined) return openModule({ ...options, module: options.module }, io);
  if (options.url !== undefined) return openUrl(options.url, options.keyEnv, io);
  throw missingSource();
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
      // This process also calls the handlers of the module's checkout.
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
  amount: v.number(),
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
        maxBytes: maxResponseBytes,
      } as const;
      return (await callCheckout(route, Retried, io)).retried;
    },
    close: async () => {},
  };
}
