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
  callback: 'info',
  callbackRefused: 'warn',
  verificationFailed: 'error',
  feeUnreadable: 'warn',
  confirmationLate: 'warn',
  reversedUnpaid: 'warn',
  paymentNotFound: 'warn',
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
    if (event.type === 'responseIgnored' && isRepeated(event.reference, JSON.stringify(event))) return;
    countEvent(counters, event);
    const notify = async () => onLog(toEntry(event));
    notify().catch((failure: unknown) => printToConsole('onLog has failed', failure));
  };
}

/** Creates the entry, with a hidden `toJSON`: JSON would otherwise drop the message of `error`. */
function toEntry(event: LogEvent): LogEntry {
  const entry = { level: levels[event.type], ...event };
  if (!('error' in entry)) return entry;
  const toJSON = (): object => ({ ...entry, error: errorToJson(entry.error) });
  return Object.defineProperty(entry, 'toJSON', { value: toJSON, enumerable: false });
}

/** Payments whose last entry is remembered. */
const maxRemembered = 10_000;

/** Creates a filter that detects a repeated entry of the same key: a payment is verified again and again. */
function createRepeatFilter(): (key: string, line: string) => boolean {
  const lines = new Map<string, string>();
  return (key, line) => {
    if (lines.get(key) === line) return true;
    if (lines.size >= maxRemembered) lines.clear();
    lines.set(key, line);
    return false;
  };
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
