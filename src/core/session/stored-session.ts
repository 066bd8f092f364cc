import type { Session } from '../../contract/index.ts';
import type { Environment } from '../page/environment.ts';

/** As many orders of a shop are kept; the one that was not touched for longest goes first. */
const mostStored = 10;

/** What is kept of a session, and nothing else. */
export type StoredSession = Pick<Session, 'reference' | 'clientSecret'> & {
  /** What had arrived, in minor units, when the shopper said that the (rest of the) money is sent; else undefined. */
  readonly sentAfter?: number | undefined;
  /** The `paymentReference` of the view in which it was said; undefined where that was of the session's own payment. */
  readonly sentFor?: string | undefined;
  /** When that was, by the phone's date. It may be wrong: only how long ago it is says something. */
  readonly sentAtMs?: number | undefined;
};

/** The stored session of one order. Storage that is blocked, full or broken is as good as empty, and never throws. */
export type SessionStorage = {
  readonly read: () => StoredSession | undefined;
  readonly write: (session: StoredSession) => void;
  /** Forgets the session with this secret; another one stays. */
  readonly forget: (clientSecret: string) => void;
};

type Entries = Record<string, unknown>;

/**
 * @param order whatever names the order: two orders of a shop must not have the same. It is stored as a hash only,
 * because a body may hold what is private.
 */
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
    write({ reference, clientSecret, sentAfter, sentFor, sentAtMs }) {
      const { [key]: _, ...others } = readAll(readStored);
      const kept = Object.entries(others).slice(1 - mostStored);
      // What is undefined is not written.
      const next = { reference, clientSecret, sentAfter, sentFor, sentAtMs };
      writeAll({ ...Object.fromEntries(kept), [key]: next });
    },
    forget(clientSecret) {
      if (read()?.clientSecret !== clientSecret) return;
      const { [key]: _, ...others } = readAll(readStored);
      writeAll(others);
    },
  };
}

/** The stored session of a payment, whichever order it is kept for. */
export function findStored({ readStored }: Environment, reference: string): StoredSession | undefined {
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

function toStored(value: unknown): StoredSession | undefined {
  const { reference, clientSecret, sentAfter, sentFor, sentAtMs }: Partial<StoredSession> = Object(value);
  return typeof reference === 'string' && typeof clientSecret === 'string' && reference && clientSecret
    ? { reference, clientSecret, sentAfter, sentFor, sentAtMs }
    : undefined;
}

/**
 * 64 bits by FNV-1a, in hexadecimal: enough to tell the orders of one browser from each other. With a first character
 * that is no digit, or objects would not keep the order of their keys.
 */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  }
  return `o${value.toString(16)}`;
}
