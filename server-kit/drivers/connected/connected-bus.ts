import type { Bus, BusSettings } from '../../checkout/ports/bus.ts';
import { joinSignals, settleWithin, type Wait } from '../../client/async/wait.ts';
import { createErrorReporter } from '../../client/errors/report-error.ts';
import { createListeners } from '../memory/bus.ts';

/** An open connection to the service. */
export type Connection = {
  /** Sends a text to all instances, including this one. */
  send: (text: string) => Promise<unknown>;
  /** Checks that the service responds. */
  check: () => Promise<unknown>;
  /** Rejects with the reason when the connection is lost. Never resolves. */
  lost: Promise<never>;
};

/**
 * Connects and listens until the signal aborts, then closes the connection, even if it is still opening.
 *
 * @param onText called for each text that any instance sends
 */
export type OpenConnection = (onText: (text: string) => void, signal: AbortSignal) => Promise<Connection>;

const openWithinMs = 10_000;
const sendWithinMs = 2000;
/** Detects a connection that died silently. */
const checkIntervalMs = 15_000;
const firstPauseMs = 250;
const maxPauseMs = 10_000;
/**
 * The most references that are kept during an outage and sent afterwards. More would only use memory: those payments have
 * been verified by then.
 */
const maxUnsent = 1000;

/**
 * Creates a bus over a service that may be unavailable. It connects at once, and reconnects after each loss with growing
 * pauses.
 */
export function createConnectedBus(
  service: string,
  open: OpenConnection,
  { onError, wait, random }: Omit<BusSettings, 'channel'>,
): Bus {
  const report = createErrorReporter(onError);
  const { subscribe, notify, notifyGap, clear } = createListeners(report);
  const closing = new AbortController();
  const sender = createSender(service, wait, report);
  let failures = 0;
  /** The causes already reported during this outage. */
  const reported = new Set<string>();

  const begin = (opened: Connection): void => {
    failures = 0;
    reported.clear();
    sender.use(opened);
    notifyGap();
  };
  /** Connects, and stays connected until the connection is lost or the bus is closed; then it throws. */
  const holdConnection = async (): Promise<never> => {
    const { signal, end } = joinSignals(closing.signal);
    try {
      const opened = await settleWithin(wait, openWithinMs, open(notify, signal), signal);
      begin(opened);
      return await Promise.race([opened.lost, keepChecking(opened, wait, signal)]);
    } finally {
      sender.drop();
      end();
    }
  };
  const keepConnected = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await holdConnection().catch(reportLoss);
      const pauseMs = random() * Math.min(maxPauseMs, firstPauseMs * 2 ** failures);
      failures++;
      await wait(pauseMs, closing.signal).catch(() => {});
    }
  };
  const reportLoss = (cause: unknown): void => {
    if (closing.signal.aborted || reported.has(String(cause))) return;
    reported.add(String(cause));
    const message = `The bus over ${service} is down. It will reconnect; until then waiting requests get their responses later.`;
    report(new Error(message, { cause }));
  };

  const running = keepConnected();
  return {
    subscribe,
    async publish(reference) {
      if (!closing.signal.aborted) await sender.send(reference);
    },
    state: () => (sender.isConnected() ? 'up' : 'down'),
    async close() {
      clear();
      closing.abort();
      await running;
    },
  };
}

/** Sends through the open connection. What cannot be sent is kept for the next connection. */
function createSender(service: string, wait: Wait, report: (error: unknown) => void) {
  const unsent = new Set<string>();
  let connection: Connection | undefined;
  const keep = (reference: string): void => {
    if (unsent.size < maxUnsent) unsent.add(reference);
  };
  const sendOver = async (target: Connection, reference: string): Promise<void> => {
    try {
      await settleWithin(wait, sendWithinMs, target.send(reference));
    } catch (cause) {
      keep(reference);
      report(new Error(`The bus over ${service} could not send ${reference}.`, { cause }));
    }
  };
  return {
    isConnected: () => connection !== undefined,
    use(opened: Connection): void {
      connection = opened;
      const late = [...unsent];
      unsent.clear();
      for (const reference of late) sendOver(opened, reference);
    },
    drop(): void {
      connection = undefined;
    },
    async send(reference: string): Promise<void> {
      if (connection === undefined) keep(reference);
      else await sendOver(connection, reference);
    },
  };
}

async function keepChecking({ check }: Connection, wait: Wait, signal: AbortSignal): Promise<never> {
  for (;;) {
    await wait(checkIntervalMs, signal);
    await settleWithin(wait, openWithinMs, check(), signal);
  }
}
