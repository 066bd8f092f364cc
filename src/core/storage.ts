import { isStorable, maxStoredPayments, type StoredPayment } from '../contract/stored-payments.ts';
import type { Environment } from './environment.ts';
import type { StoredReference } from './state.ts';

/** How long an ended payment stays stored: long enough for a shopper who comes back from the bank app. */
const endedLifetimeMs = 3_600_000;

export type StoredEntry = StoredPayment & {
  /** The base URL of the server that knows the secret. No other server receives it. */
  readonly server: string;
  readonly order: string;
  /** When the payment was first seen ended, by the phone's date. It may be wrong: use only differences. */
  readonly endedAtMs?: number | undefined;
  /** The transfer claim: the amount received when the shopper claimed to have sent the (rest of the) money, in minor units. */
  readonly sentAfter?: number | undefined;
  /** The claimed payment's `paymentReference`; undefined for the session's own payment. */
  readonly sentFor?: string | undefined;
  readonly sentAtMs?: number | undefined;
};

export const toStoredReference = ({ reference, sentAfter }: StoredEntry): StoredReference => ({
  reference,
  isClaimed: sentAfter !== undefined,
});

type Storage = Pick<Environment, 'readStored' | 'date'>;

export const listStored = (storage: Storage, baseUrl: string): readonly StoredEntry[] =>
  readAll(storage).filter(({ server }) => server === baseUrl);

/** Stores a payment as the last used one, with what was stored about it before. The least recently used payments make room. */
export function saveStored(storage: Storage & Pick<Environment, 'writeStored'>, payment: StoredEntry): void {
  const { reference, server } = payment;
  const isSame = (one: StoredEntry): boolean => one.reference === reference && one.server === server;
  const all = readAll(storage);
  const saved = toEntry({ ...all.find(isSame), ...payment });
  const entries = [saved, ...all.filter((one) => !isSame(one))].filter((one) => one !== undefined);
  storage.writeStored(JSON.stringify(entries.slice(0, maxStoredPayments)));
}

function readAll({ readStored, date }: Storage): StoredEntry[] {
  try {
    const entries: unknown = JSON.parse(readStored() ?? '[]');
    if (!Array.isArray(entries)) return [];
    return entries
      .map(toEntry)
      .filter((entry) => entry !== undefined)
      .filter(({ endedAtMs }) => endedAtMs === undefined || Math.abs(date() - endedAtMs) < endedLifetimeMs)
      .slice(0, maxStoredPayments);
  } catch {
    return [];
  }
}

/** Returns the known fields of an entry; undefined for an invalid one, because other scripts of the site can write here, too. */
function toEntry(value: unknown): StoredEntry | undefined {
  const { reference, clientSecret, server, order, endedAtMs, sentAfter, sentFor, sentAtMs } = Object(
    value,
  ) as Record<string, unknown>;
  const texts = [reference, clientSecret, server, order];
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  const entry = { reference, clientSecret, server, order } as StoredEntry;
  if (!isStorable(entry)) return undefined;
  return {
    ...entry,
    endedAtMs: toNumber(endedAtMs),
    sentAfter: toNumber(sentAfter),
    sentFor: typeof sentFor === 'string' ? sentFor : undefined,
    sentAtMs: toNumber(sentAtMs),
  };
}

const toNumber = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) ? (value as number) : undefined;

function hashOf(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  }
  return value.toString(16);
}

const maxReported = 100;

/** Stores that this browser has reported payments as paid, as hashes, and returns whether it had reported none of them before. */
export function reportPaid(
  { readReported, writeReported }: Pick<Environment, 'readReported' | 'writeReported'>,
  references: readonly string[],
): boolean {
  const reported = readReported()?.split(' ') ?? [];
  const hashes = references.map(hashOf);
  const isFirst = !hashes.some((hash) => reported.includes(hash));
  writeReported([...new Set([...hashes, ...reported])].slice(0, maxReported).join(' '));
  return isFirst;
}

export type OrderOptions = {
  readonly environment: Pick<Environment, 'readStored' | 'writeStored' | 'date'>;
  readonly baseUrl: string;
  readonly body: string;
  readonly orderKey?: string | undefined;
};

export type OrderStorage = ReturnType<typeof orderStorage>;

export function orderStorage(options: OrderOptions) {
  const { environment, baseUrl: server } = options;
  const order = orderHash(options);
  const list = (): readonly StoredEntry[] => listStored(environment, server);
  const listOrder = (): readonly StoredEntry[] => list().filter((entry) => entry.order === order);
  return {
    list,
    listOrder,
    find: (reference: string): StoredEntry | undefined =>
      list().find((entry) => entry.reference === reference),
    /** Returns the last used payment of this order; undefined where the page does not identify the order: only the server knows it then. */
    findOrder: (): StoredEntry | undefined => (isOrderIdentified(options) ? listOrder()[0] : undefined),
    /** Stores a payment of this checkout as the last used one. What is left out keeps its stored value. */
    save: (payment: Omit<StoredEntry, 'server' | 'order'>): void =>
      saveStored(environment, { ...payment, server, order }),
  };
}

/** Returns true where the page identifies the order. With an empty body the server does, by a cookie. */
const isOrderIdentified = ({ body, orderKey }: OrderOptions): boolean =>
  orderKey !== undefined || !/^(\{}|\[]|""|null)$/.test(body);

/** Returns a hash of what identifies the order, because a body may contain private data. */
export const orderHash = ({ body, orderKey }: Pick<OrderOptions, 'body' | 'orderKey'>): string =>
  hashOf(JSON.stringify(orderKey ?? [body]));
