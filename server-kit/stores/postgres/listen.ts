import type { Pool, PoolClient } from 'pg';
import { type Wait, within } from '../../core/time.ts';
import type { OnChange, OnMissed } from '../../engine/store.ts';
import { joinSignals, whenAborted } from '../../engine/wait.ts';

export type ListenOptions = { pool: Pool; schema: string | undefined; wait: Wait };

/** A pool with fewer connections has none to spare. */
export const leastConnections = 3;

const probeIntervalMs = 15_000;
const respondWithinMs = 5000;
const [firstPauseMs, maxPauseMs] = [250, 30_000];
/** PostgreSQL takes 8,000 bytes. */
const maxReferences = 100;

/** What the stores of several instances share. A notification names its sender, then references; a probe names none. */
type Channel = {
  name: string;
  sender: string;
  send: (references: readonly string[]) => Promise<unknown>;
  pool: Pool;
  wait: Wait;
};

/** Creates the notifications between the stores of several instances, over LISTEN and NOTIFY. */
export function createNotifications({ pool, schema = 'public', wait }: ListenOptions) {
  const name = `transfer_checkout_${schema}`.toLowerCase().slice(0, 63);
  const sender = crypto.randomUUID();
  const send: Channel['send'] = (references) =>
    pool.query('SELECT pg_notify($1, $2)', [name, [sender, ...references].join(' ')]);
  const channel: Channel = { name, sender, send, pool, wait };
  const closing = new AbortController();
  return {
    publish: createPublisher(channel),
    subscribe(onChange: OnChange, onMissed: OnMissed): () => void {
      const { max } = pool.options;
      if (max < leastConnections) {
        onMissed(new Error(`${missed} Its pool's max is ${max}; make it ${leastConnections} or more.`));
        return () => {};
      }
      const subscribed = new AbortController();
      whenAborted(closing.signal, () => subscribed.abort());
      keepListening(channel, onChange, onMissed, subscribed.signal);
      return () => subscribed.abort();
    },
    close: () => closing.abort(),
  };
}

const missed =
  'The store does not hear other instances, so pages that wait here learn of their changes up to 3 seconds later.';
const advice =
  'It keeps trying. If this persists, let it reach PostgreSQL directly: a pooler in transaction mode swallows notifications.';

/**
 * Creates what notifies the other instances. If it fails, they learn of the change when they read the store again. One statement at a
 * time, so that a burst of writes needs few: PostgreSQL commits notifications one after the other.
 */
function createPublisher({ send }: Channel): (references: readonly string[]) => void {
  const unsent = new Set<string>();
  let isSending = false;
  const sendAll = async (): Promise<void> => {
    isSending = true;
    while (unsent.size > 0) {
      const references = [...unsent].slice(0, maxReferences);
      for (const reference of references) unsent.delete(reference);
      await send(references).catch(() => {});
    }
    isSending = false;
  };
  return (references) => {
    for (const reference of references) unsent.add(reference);
    if (!isSending) sendAll();
  };
}

async function keepListening(channel: Channel, onChange: OnChange, onMissed: OnMissed, signal: AbortSignal) {
  let failures = 0;
  const hear: OnChange = (reference) => {
    failures = 0;
    onChange(reference);
  };
  while (!signal.aborted) {
    await listenOnce(channel, hear, signal).catch((cause: unknown) => {
      if (!signal.aborted && failures === 0) onMissed(new Error(`${missed} ${advice}`, { cause }));
    });
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** failures++);
    await channel.wait(pauseMs, signal, true).catch(() => {});
  }
}

/** Listens until the connection is lost, or a probe does not come back; then it throws. */
async function listenOnce(channel: Channel, onChange: OnChange, signal: AbortSignal): Promise<never> {
  const { name, sender, send, pool, wait } = channel;
  const client = await pool.connect();
  // Ends with the connection: the signal of the store would keep every client that was lost.
  const connected = joinSignals(signal);
  try {
    const lost = lossOf(client, connected.signal);
    let noteProbe = (): void => {};
    client.on('notification', ({ payload = '' }) => {
      const [from, ...references] = payload.split(' ');
      if (from !== sender) for (const reference of references) onChange(reference);
      else if (references.length === 0) noteProbe();
    });
    await Promise.race([client.query(`LISTEN "${name}"`), lost]);
    for (let isUp = false; ; isUp = true) {
      const heard = new Promise<void>((resolve) => {
        noteProbe = resolve;
      });
      // Over another connection of the pool, as a write would send it. It may have to wait for one.
      const probed = send([]).then(() => within(wait, respondWithinMs, () => heard));
      await Promise.race([probed, lost]);
      // Some may have been missed before the first probe.
      if (!isUp) onChange(undefined);
      await Promise.race([wait(probeIntervalMs, connected.signal, true), lost]);
    }
  } finally {
    connected.end();
    // Not returned to the pool: its next user would still be listening.
    client.release(true);
  }
}

function lossOf(client: PoolClient, signal: AbortSignal): Promise<never> {
  const lost = new Promise<never>((_resolve, reject) => {
    client.on('error', reject);
    client.on('end', () => reject(new Error('PostgreSQL closed the connection.')));
    whenAborted(signal, () => reject(signal.reason));
  });
  lost.catch(() => {});
  return lost;
}
