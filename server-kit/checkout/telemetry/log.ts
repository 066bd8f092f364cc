import { escapeTexts } from '../../client/errors/control-characters.ts';
import type { IgnoredField } from '../order/order-request.ts';
import type { Counters } from './counters.ts';
import { describeError, errorToJson } from './describe-error.ts';
import type { LogEntry, LogEvent, LogLevel } from './log-event.ts';

/** Receives every log entry. What it throws, or rejects with, is printed to the console and has no other effect. */
export type OnLog = (entry: LogEntry) => unknown;

export type Log = (event: LogEvent) => void;

/** Returns what logs each field of an order that was left out. */
export const noteIgnored =
  (log: Log) =>
  (ignored: IgnoredField): void =>
    log({ type: 'orderFieldIgnored', ...ignored });

/** The level of each type of event, and the counter that it increases. */
const types: Record<LogEvent['type'], readonly [level: LogLevel, counter?: keyof Counters]> = {
  requestRefused: ['info', 'requestsRefused'],
  requestFailed: ['error', 'requestsFailed'],
  basePathDiffers: ['warn'],
  clientKeyMissing: ['warn'],
  originRefused: ['warn'],
  secretRefused: ['warn'],
  secretMissing: ['warn'],
  callback: ['info'],
  unknownPayment: ['warn'],
  callbackRefused: ['warn', 'callbacksRefused'],
  verificationFailed: ['error'],
  feeUnreadable: ['warn'],
  confirmationLate: ['warn'],
  reversedUnpaid: ['warn'],
  paymentNotFound: ['warn'],
  orderAmountChanged: ['warn'],
  orderFieldIgnored: ['warn'],
  responseIgnored: ['warn'],
  serviceLimited: ['warn', 'serviceLimited'],
  handlerSucceeded: ['info', 'handlersSucceeded'],
  handlerFailed: ['error', 'handlersFailed'],
  handlerInterrupted: ['warn'],
  parked: ['warn'],
  leaseLost: ['warn', 'leasesLost'],
  leaseNotRenewed: ['warn'],
  backgroundFailed: ['error'],
  roundsMissing: ['warn'],
  storeFailed: ['warn'],
  limiterFailed: ['warn', 'limiterFailures'],
  busFailed: ['warn'],
  busDown: ['warn'],
  busUp: ['info'],
  stopped: ['info'],
};

const counterOfCallback = {
  verify: 'callbacksMatched',
  unknown: 'callbacksUnknown',
  ignored: 'callbacksIgnored',
} as const;

/** Creates the log: it counts each event and passes it to `onLog`. */
export function createLog(counters: Counters, onLog: OnLog = logToConsole): Log {
  const isRepeated = createRepeatFilter();
  return (event) => {
    if (isRepeated(event)) return;
    const counter = event.type === 'callback' ? counterOfCallback[event.action] : types[event.type][1];
    if (counter !== undefined) counters[counter]++;
    if (event.type === 'requestRefused' && event.code === 'rate_limited') counters.requestsLimited++;
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
  const entry: LogEntry = { level: types[event.type][0], ...Object.fromEntries(texts) };
  if (!('error' in entry)) return entry;
  const toJSON = (): object => ({ ...entry, error: errorToJson(entry.error) });
  return Object.defineProperty(entry, 'toJSON', { value: toJSON, enumerable: false });
}

/** Events that repeat, and are logged once. */
const foundAgain: ReadonlySet<LogEvent['type']> = new Set([
  'responseIgnored',
  'unknownPayment',
  'confirmationLate',
  'orderAmountChanged',
  'orderFieldIgnored',
]);

const maxRemembered = 10_000;

function createRepeatFilter(): (event: LogEvent) => boolean {
  const lines = new Set<string>();
  return (event) => {
    if (!foundAgain.has(event.type)) return false;
    const line = JSON.stringify(event);
    if (lines.has(line)) return true;
    if (lines.size >= maxRemembered) lines.clear();
    lines.add(line);
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
