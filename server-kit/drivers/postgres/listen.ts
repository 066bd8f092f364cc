import type { Pool, PoolClient } from 'pg';
import type { OnChange, OnMissed } from '../../checkout/ports/store.ts';
import { settleWithin, whenAborted } from '../../checkout/ports/wait.ts';
import type { Wait } from '../../core/time.ts';

export type ListenOptions = { pool: Pool; schema: string | undefined; wait: Wait };

/** A pool with fewer connections has none to spare. */
export const leastConnections = 3;

const probeIntervalMs = 15_000;
const respondWithinMs = 5000;
const [firstPauseMs, maxPauseMs] = [250, 30_000];
/** PostgreSQL takes 8,000 bytes. */
const maxReferences = 100;

/** Creates the notifications between the stores of several instances, over LISTEN and NOTIFY. */
export function createNotifications({ pool, schema = 'public', wait }: ListenOptions) {
  const channel = `transfer_checkout_${schema}`.toLowerCase().slice(0, 63);
  const sender = crypto.randomUUID();
  const send = (text: string) =>
    pool.query('SELECT pg_notify($1, $2)', [channel, JSON.stringify([sender, text])]);
  const closing = new AbortController();
  const subscribers = new Set<AbortController>();

  /** Listens until the connection is lost, or a probe does not come back; then it throws. */
  const listenOnce = async (onChange: OnChange, signal: AbortSignal): Promise<never> => {
    const client = await pool.connect();
    try {
      const lost = lossOf(client, signal);
      let noteProbe = (): void => {};
      client.on('notification', ({ payload = '' }) => {
        const [from, text] = JSON.parse(payload) as [string, string];
        if (from === sender && text === '') noteProbe();
        if (from !== sender && text !== '') for (const reference of text.split(' ')) onChange(reference);
      });
      await Promise.race([client.query(`LISTEN "${channel}"`), lost]);
      let isUp = false;
      for (;;) {
        const heard = new Promise<void>((resolve) => {
          noteProbe = resolve;
        });
        // Over another connection of the pool, as a write would send it.
        const probed = Promise.all([send(''), heard]);
        await Promise.race([settleWithin(wait, respondWithinMs, probed), lost]);
        // Some may have been missed before the first probe.
        if (!isUp) onChange(undefined);
        isUp = true;
        await Promise.race([wait(probeIntervalMs, signal, true), lost]);
      }
    } finally {
      // Not returned to the pool: its next user would still be listening.
      client.release(true);
    }
  };
  const keepListening = async (onChange: OnChange, onMissed: OnMissed, signal: AbortSignal) => {
    let failures = 0;
    const hear: OnChange = (reference) => {
      failures = 0;
      onChange(reference);
    };
    while (!signal.aborted) {
      await listenOnce(hear, signal).catch((cause: unknown) => {
        if (!signal.aborted && failures === 0) onMissed(new Error(missed, { cause }));
      });
      const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** failures++);
      await wait(pauseMs, signal, true).catch(() => {});
    }
  };
  return {
    /** Notifies the other instances. If it fails, they learn of the change when they read the store again. */
    publish(references: readonly string[]): void {
      send(references.slice(-maxReferences).join(' ')).catch(() => {});
    },
    subscribe(onChange: OnChange, onMissed: OnMissed): () => void {
      const { max } = pool.options;
      if (max < leastConnections) {
        onMissed(new Error(`The pool's max is ${max}: ${missed} Make it ${leastConnections} or more.`));
        return () => {};
      }
      const subscribed = new AbortController();
      subscribers.add(subscribed);
      whenAborted(closing.signal, () => subscribed.abort());
      keepListening(onChange, onMissed, subscribed.signal).finally(() => subscribers.delete(subscribed));
      return () => subscribed.abort();
    },
    close: () => closing.abort(),
  };
}

const missed =
  'The store hears nothing from other instances, so that pages which wait here learn of their changes up to 3 seconds later. ' +
  'LISTEN needs a direct connection: a pooler in transaction mode swallows notifications.';

function lossOf(client: PoolClient, signal: AbortSignal): Promise<never> {
  const lost = new Promise<never>((_resolve, reject) => {
    client.on('error', reject);
    client.on('end', () => reject(new Error('PostgreSQL closed the connection.')));
    whenAborted(signal, () => reject(signal.reason));
  });
  lost.catch(() => {});
  return lost;
}
