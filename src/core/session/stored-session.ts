import { ownCopy, type Session } from '../../contract/index.ts';
import type { Environment } from '../page/environment.ts';

/** Orders kept per shop; the least recently used one is removed first. */
const maxStored = 10;

/** The stored part of a session. */
export type StoredSession = Pick<Session, 'reference' | 'clientSecret'> & {
  /** The transfer claim: the amount received when the shopper claimed to have sent the (rest of the) money, in minor units. */
  readonly sentAfter?: number | undefined;
  /** The claimed payment's `paymentReference`; undefined for the session's own payment. */
  readonly sentFor?: string | undefined;
  /** When it was claimed, by the phone's date. It may be wrong: use only differences. */
  readonly sentAtMs?: number | undefined;
};

/** The stored session of one order. Never throws: blocked, full or corrupt storage counts as empty. */
export type SessionStorage = {
  readonly read: () => StoredSession | undefined;
  readonly write: (session: StoredSession) => void;
  /** Removes the session if it has this secret. */
  readonly remove: (clientSecret: string) => void;
};

type Entries = Record<string, unknown>;

/** Creates the storage for an order, identified by a unique text. Stores only its hash, because a body may contain private data. */
export function createSessionStorage(
  { readStored, writeStored }: Environment,
  order: string,
): SessionStorage {
  const key = hash(order);

  const writeAll = (entries: Entries): void => {
    try {
      writeStored(JSON.stringify(entries));
    } catch {
      // Blocked or full: a reload asks the server instead.
    }
  };
  const read = (): StoredSession | undefined => toStored(readAll(readStored)[key]);

  return {
    read,
    write(session) {
      const { [key]: _, ...others } = readAll(readStored);
      const kept = Object.entries(others).slice(1 - maxStored);
      writeAll({ ...Object.fromEntries(kept), [key]: toStored(session) });
    },
    remove(clientSecret) {
      if (read()?.clientSecret !== clientSecret) return;
      const { [key]: _, ...others } = readAll(readStored);
      writeAll(others);
    },
  };
}

/** Returns the stored session of a payment, of any order. */
export function findStoredSession({ readStored }: Environment, reference: string): StoredSession | undefined {
  return Object.values(readAll(readStored))
    .map(toStored)
    .find((stored) => stored?.reference === reference);
}

function readAll(readStored: Environment['readStored']): Entries {
  try {
    return Object(JSON.parse(readStored() ?? '{}')) as Entries;
  } catch {
    return {};
  }
}

/** Returns the stored fields of a session; undefined for an invalid entry. */
function toStored(value: unknown): StoredSession | undefined {
  const { reference, clientSecret, sentAfter, sentFor, sentAtMs }: Partial<StoredSession> = ownCopy(
    value as StoredSession,
  );
  return typeof reference === 'string' && typeof clientSecret === 'string' && reference && clientSecret
    ? { reference, clientSecret, sentAfter, sentFor, sentAtMs }
    : undefined;
}

/** Returns the 64-bit FNV-1a hash in hexadecimal. It starts with a letter, because objects sort keys that are numbers. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  }
  return `o${value.toString(16)}`;
}
