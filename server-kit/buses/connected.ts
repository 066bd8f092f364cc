import { CheckoutError } from '../../src/contract/index.ts';
import { joinSignals, settleWithin, type Wait, waitWithTimer } from '../async/wait.ts';
import { createErrorReporter } from '../errors/report-error.ts';
import type { Bus, BusOptions } from './bus.ts';
import { createListeners } from './listeners.ts';

/** One open connection. */
export type Connection = {
  /** Sends a text to all instances, this one too. */
  send: (text: string) => Promise<unknown>;
  /** Asks the service for a sign of life. */
  check: () => Promise<unknown>;
  /** Rejects, saying why, when the connection is lost. Never resolves. */
  lost: Promise<never>;
};

/**
 * Connects, and listens until the signal aborts: then the connection is closed, also one that is about to open.
 *
 * @param onText called for each text that an instance has sent
 */
export type OpenConnection = (onText: (text: string) => void, signal: AbortSignal) => Promise<Connection>;

const openWithinMs = 10_000;
const sendWithinMs = 2000;
/** A connection that died without a word is noticed by asking. */
const checkIntervalMs = 15_000;
const firstPauseMs = 250;
const maxPauseMs = 10_000;
/** So much is sent late, after an outage. More would be a heap of memory for payments that were looked at meanwhile. */
const maxUnsent = 1000;

/** A bus over a service that can go away. It connects at once, and again after each loss, with growing pauses. */
export function createConnectedBus(service: string, open: OpenConnection, options: BusOptions): Bus {
  const { wait = waitWithTimer, random = Math.random } = options;
  const report = createErrorReporter(options.onError);
  const { subscribe, notify, notifyGap, clear } = createListeners(report);
  const closing = new AbortController();
  const sender = createSender(service, wait, report);
  let failures = 0;
  /** The causes that were reported of this outage. */
  const reported = new Set<string>();

  const begin = (opened: Connection): void => {
    failures = 0;
    reported.clear();
    sender.use(opened);
    notifyGap();
  };
  /** Connects, and stays until the connection is lost or the bus closed; then it throws. */
  const hold = async (): Promise<never> => {
    const ended = new AbortController();
    const { signal, release } = joinSignals(closing.signal, ended.signal);
    try {
      const opened = await settleWithin(wait, openWithinMs, open(notify, signal), signal);
      begin(opened);
      return await Promise.race([opened.lost, keepChecking(opened, wait, signal)]);
    } finally {
      sender.drop();
      ended.abort();
      release();
    }
  };
  const stayConnected = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await hold().catch(reportLoss);
      const pauseMs = random() * Math.min(maxPauseMs, firstPauseMs * 2 ** failures);
      failures++;
      await wait(pauseMs, closing.signal).catch(() => {});
    }
  };
  const reportLoss = (cause: unknown): void => {
    if (closing.signal.aborted || reported.has(String(cause))) return;
    reported.add(String(cause));
    const message = `The bus over ${service} is down. It reconnects; until then waiting requests are answered later.`;
    report(new Error(message, { cause }));
  };

  const running = stayConnected();
  return {
    subscribe,
    async publish(reference) {
      if (!closing.signal.aborted) await sender.send(reference);
    },
    state: () => (sender.hasLine() ? 'up' : 'down'),
    async close() {
      clear();
      closing.abort();
      await running;
    },
  };
}

/** Sends through the line that is open. What cannot be sent is kept, and sent through the next. */
function createSender(service: string, wait: Wait, report: (error: unknown) => void) {
  const unsent = new Set<string>();
  let line: Connection | undefined;
  const keep = (reference: string): void => {
    if (unsent.size < maxUnsent) unsent.add(reference);
  };
  const sendThrough = async (through: Connection, reference: string): Promise<void> => {
    try {
      await settleWithin(wait, sendWithinMs, through.send(reference));
    } catch (cause) {
      keep(reference);
      report(new Error(`The bus over ${service} could not send ${reference}.`, { cause }));
    }
  };
  return {
    hasLine: () => line !== undefined,
    use(opened: Connection): void {
      line = opened;
      const late = [...unsent];
      unsent.clear();
      for (const reference of late) sendThrough(opened, reference);
    },
    drop(): void {
      line = undefined;
    },
    async send(reference: string): Promise<void> {
      if (line === undefined) keep(reference);
      else await sendThrough(line, reference);
    },
  };
}

async function keepChecking({ check }: Connection, wait: Wait, signal: AbortSignal): Promise<never> {
  for (;;) {
    await wait(checkIntervalMs, signal);
    await settleWithin(wait, openWithinMs, check(), signal);
  }
}

const defaultChannel = 'transfer_checkout';

/**
 * PostgreSQL cuts longer names without a word, and two shops would share a channel.
 *
 * @throws {CheckoutError} `invalid_options`
 */
export function readChannel(channel = defaultChannel): string {
  if (/^[a-z0-9_]{1,63}$/.test(channel)) return channel;
  const message = `channel: "${channel}" must be 1 to 63 lower-case letters, digits and _, such as ${defaultChannel}.`;
  throw new CheckoutError('invalid_options', message);
}
