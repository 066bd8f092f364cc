import type { StoredPayment } from '../../contract/stored-payments.ts';
import type { Environment } from '../connection/environment.ts';
import { hashOf, listStored, type StoredEntry, saveStored } from './payment-storage.ts';

/** The options that identify the order of a checkout. */
export type OrderOptions = {
  readonly environment: Pick<Environment, 'readStored' | 'writeStored' | 'date'>;
  /** The checkout server, without a trailing slash. */
  readonly baseUrl: string;
  readonly body: string;
  readonly orderKey?: string | undefined;
};

/** The changes to a stored payment that its page makes. */
export type StoredChange = StoredPayment &
  Pick<StoredEntry, 'endedAtMs' | 'sentAfter' | 'sentFor' | 'sentAtMs'>;

/** The stored payments of a server, as one checkout uses them. Never throws. */
export type OrderStorage = {
  /** Returns all payments of the server, the last used first. */
  readonly list: () => readonly StoredEntry[];
  readonly find: (reference: string) => StoredEntry | undefined;
  /** Returns the payments that pages with the same options have stored, the last used first. */
  readonly listOrder: () => readonly StoredEntry[];
  /** Returns the last used payment of this order; undefined where the page does not identify the order: only the server knows it then. */
  readonly findOrder: () => StoredEntry | undefined;
  /** Stores a payment of this checkout as the last used one. What is left out keeps its stored value. */
  readonly save: (payment: StoredChange) => void;
};

/** Returns the storage of a checkout. Pages share payments of an order when they use the same server and `orderKey`, or body. */
export function orderStorage(options: OrderOptions): OrderStorage {
  const { environment, baseUrl: server } = options;
  const order = orderHash(options);
  const list = (): readonly StoredEntry[] => listStored(environment, server);
  const listOrder = (): readonly StoredEntry[] => list().filter((entry) => entry.order === order);
  return {
    list,
    find: (reference) => list().find((entry) => entry.reference === reference),
    listOrder,
    findOrder: () => (isOrderIdentified(options) ? listOrder()[0] : undefined),
    save: (payment) => saveStored(environment, { ...payment, server, order }),
  };
}

/** Returns true where the page identifies the order. With an empty body the server does, by a cookie. */
const isOrderIdentified = ({ body, orderKey }: OrderOptions): boolean =>
  orderKey !== undefined || !/^(\{}|\[]|""|null)$/.test(body);

/** Returns a hash of what identifies the order, because a body may contain private data. */
export const orderHash = ({ body, orderKey }: Pick<OrderOptions, 'body' | 'orderKey'>): string =>
  hashOf(JSON.stringify(orderKey ?? [body]));
