import type { ServerOptions } from './session-client.ts';
import { createSessionStorage, type SessionStorage } from './stored-session.ts';

/** What says which order a checkout is for. */
export type OrderOptions = ServerOptions & {
  readonly body: string;
  readonly orderKey?: string | undefined;
};

/**
 * The stored session of this order. Two pages mean the same order when they ask the same server with the same
 * `orderKey`, or with the same body where there is none.
 */
export const storageOf = ({ environment, baseUrl, body, orderKey }: OrderOptions): SessionStorage =>
  createSessionStorage(environment, JSON.stringify([baseUrl, orderKey ?? body]));

/** The session with which this browser was last sent elsewhere to pay. */
export const storageOfLink = ({ environment, baseUrl }: OrderOptions): SessionStorage =>
  createSessionStorage(environment, JSON.stringify([baseUrl, { isLink: true }]));

/** A body that says nothing leaves it to the server, by a cookie, which order is meant. */
export const isNamed = ({ body, orderKey }: OrderOptions): boolean =>
  orderKey !== undefined || !/^(\{}|\[]|""|null)$/.test(body);
