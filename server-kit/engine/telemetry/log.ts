import { isCheckoutError } from '../../../src/contract/index.ts';
import { escapeControls, PaymentsError } from '../../core/errors.ts';
import type { IgnoredField } from '../order/request.ts';
import { remainingMs } from '../wait.ts';
import { describeFetchFailure, errorText, escapeTexts, maxCauses, stackOf } from './error-text.ts';
import type { LogEntry, LogEvent, LogLevel } from './log-event.ts';

/** Receives every log entry. What it throws, or rejects with, is printed to the console and has no other effect. */
export type OnLog = (entry: LogEntry) => unknown;

export type Log = (event: LogEvent) => void;

/** Returns what logs each field of an order that was left out. */
export const noteIgnored =
  (log: Log) =>
  (ignored: IgnoredField): void =>
    log({ type: 'orderFieldIgnored', ...ignored });

const levels: Record<LogEvent['type'], LogLevel> = {
  requestRefused: 'info',
  requestFailed: 'error',
  basePathDiffers: 'warn',
  clientKeyMissing: 'warn',
  originRefused: 'warn',
  secretMissing: 'warn',
  callback: 'info',
  unknownPayment: 'warn',
  callbackRefused: 'warn',
  verificationFailed: 'error',
  confirmationLate: 'warn',
  reversedUnpaid: 'warn',
  paymentNotFound: 'warn',
  orderAmountChanged: 'warn',
  orderFieldIgnored: 'warn',
  accountShared: 'error',
  responseIgnored: 'warn',
  serviceLimited: 'warn',
  handlerSucceeded: 'info',
  handlerFailed: 'error',
  handlerInterrupted: 'warn',
  parked: 'warn',
  leaseLost: 'warn',
  leaseNotRenewed: 'warn',
  backgroundFailed: 'error',
  roundsMissing: 'warn',
  storeFailed: 'warn',
  clientKeyFailed: 'warn',
  changesMissed: 'warn',
  stopped: 'info',
};

const minuteMs = 60_000;

/** A type with a pause is logged once in that time: strangers can cause it. A type that repeats is logged once for each of its entries. */
const repeats: Partial<Record<LogEvent['type'], 'pause' | 'once'>> = {
  basePathDiffers: 'pause',
  originRefused: 'pause',
  secretMissing: 'pause',
  accountShared: 'once',
  responseIgnored: 'once',
  unknownPayment: 'once',
  confirmationLate: 'once',
  orderAmountChanged: 'once',
  orderFieldIgnored: 'once',
};

const maxRemembered = 10_000;

/** Creates the log, which passes each event to `onLog`. */
export function createLog(onLog: OnLog = logToConsole, now: () => number = Date.now): Log {
  /** When each type, or each entry, was logged last. */
  const logged = new Map<string, number>();
  const isRepeated = (event: LogEvent): boolean => {
    const how = repeats[event.type];
    if (how === undefined) return false;
    const key = how === 'pause' ? event.type : JSON.stringify(event);
    const at = logged.get(key);
    if (at !== undefined && (how === 'once' || remainingMs(at, minuteMs, now()) > 0)) return true;
    if (logged.size >= maxRemembered) logged.clear();
    logged.set(key, now());
    return false;
  };
  return (event) => {
    if (isRepeated(event)) return;
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

/** Whether code and message say everything: these errors are created here, so that a stack adds nothing. */
const saysEverything = (error: unknown): error is Error & { code: string } =>
  error instanceof PaymentsError || (isCheckoutError(error) && error.code !== 'internal_error');

/**
 * Returns what a person needs of an error: one line with the causes for an error of this package, and the text with its stack
 * for any other.
 */
const describeError = (error: unknown): unknown =>
  saysEverything(error) ? escapeControls(lineOf(error)) : errorText(error);

function lineOf({ code, message, cause }: Error & { code: string }): string {
  const line = `${code}: ${message}`;
  if (cause === undefined) return line;
  return `${line} Cause: ${saysEverything(cause) ? lineOf(cause) : describeFetchFailure(cause)}`;
}

/**
 * Returns an error as a value for `JSON.stringify`, which drops the message of an Error: `name`, `code`, `message`, `stack` and
 * `cause`, with control characters escaped. Other fields are left out: a database puts rows there.
 */
function errorToJson(error: unknown, causes = maxCauses): unknown {
  if (!(error instanceof Error)) return escapeTexts(error);
  const { name, message, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    name: escapeTexts(name),
    ...(code !== undefined && { code: escapeTexts(code) }),
    message: escapeTexts(message),
    ...(!saysEverything(error) && { stack: stackOf(error) }),
    ...(cause !== undefined && causes > 0 && { cause: errorToJson(cause, causes - 1) }),
  };
}
