import { escapeTexts } from '../../client/errors/control-characters.ts';
import { type Counters, countEvent } from './counters.ts';
import { describeError, errorToJson } from './describe-error.ts';
import type { LogEntry, LogEvent, LogLevel } from './log-event.ts';

/** Receives every log entry. What it throws, or rejects with, is printed to the console and has no other effect. */
export type OnLog = (entry: LogEntry) => unknown;

export type Log = (event: LogEvent) => void;

const levels: Record<LogEvent['type'], LogLevel> = {
  requestRefused: 'info',
  requestFailed: 'error',
  basePathDiffers: 'warn',
  clientKeyMissing: 'warn',
  originRefused: 'warn',
  secretRefused: 'warn',
  callback: 'info',
  callbackRefused: 'warn',
  verificationFailed: 'error',
  feeUnreadable: 'warn',
  confirmationLate: 'warn',
  reversedUnpaid: 'warn',
  paymentNotFound: 'warn',
  orderAmountChanged: 'warn',
  responseIgnored: 'warn',
  serviceLimited: 'warn',
  handlerSucceeded: 'info',
  handlerFailed: 'error',
  handlerInterrupted: 'warn',
  deadLettered: 'error',
  leaseLost: 'warn',
  leaseNotRenewed: 'warn',
  backgroundFailed: 'error',
  storeFailed: 'warn',
  limiterFailed: 'warn',
  purged: 'info',
  busFailed: 'warn',
  busDown: 'warn',
  busUp: 'info',
  stopped: 'info',
};

/** Creates the log: it counts each event and passes it to `onLog`. */
export function createLog(counters: Counters, onLog: OnLog = logToConsole): Log {
  const isRepeated = createRepeatFilter();
  return (event) => {
    if (isRepeated(event)) return;
    countEvent(counters, event);
    const notify = async () => onLog(toEntry(event));
    notify().catch((failure: unknown) => printToConsole('onLog has failed', describeError(failure)));
  };
}

/**
 * Creates the entry. Escapes the control characters of its texts, because many come from outside. Adds a hidden `toJSON`,
 * because JSON would otherwise drop the message of `error`.
 */
function toEntry(event: LogEvent): LogEntry {
  const texts = Object.entries(event).map(([name, value]) => [name, escapeTexts(value)]);
  const entry: LogEntry = { level: levels[event.type], ...Object.fromEntries(texts) };
  if (!('error' in entry)) return entry;
  const toJSON = (): object => ({ ...entry, error: errorToJson(entry.error) });
  return Object.defineProperty(entry, 'toJSON', { value: toJSON, enumerable: false });
}

/** Entries that are remembered. */
const maxRemembered = 10_000;

/** Creates a filter that detects the repeated entries of what is found again and again. */
function createRepeatFilter(): (event: LogEvent) => boolean {
  const lines = new Map<string, string>();
  return (event) => {
    const [key, line] = repeatKeyOf(event) ?? [];
    if (key === undefined || line === undefined) return false;
    if (lines.get(key) === line) return true;
    if (lines.size >= maxRemembered) lines.clear();
    lines.set(key, line);
    return false;
  };
}

/** Returns a key, and what has to differ from the last entry of that key. */
function repeatKeyOf(event: LogEvent): readonly [key: string, line: string] | undefined {
  switch (event.type) {
    case 'responseIgnored':
      return [event.reference, JSON.stringify(event)];
    case 'confirmationLate':
      return [`${event.type}:${event.reference}`, event.since];
    case 'orderAmountChanged':
      return [JSON.stringify([event.orderId, event.orderAmount]), event.type];
    default:
      return undefined;
  }
}

/** Prints everything but `info`. */
const logToConsole: OnLog = ({ level, type, ...rest }) => {
  if (level === 'info') return;
  if (!('error' in rest)) return printToConsole(type, rest);
  const { error, ...names } = rest;
  printToConsole(type, names, describeError(error));
};

function printToConsole(what: string, ...details: unknown[]): void {
  // biome-ignore lint/suspicious/noConsole: the default of `onLog`, so that nothing is swallowed.
  console.error(`[transfer-checkout] ${what}`, ...details);
}
