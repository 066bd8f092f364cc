import type { ServerOptions } from './send-request.ts';
import { createSessionStorage, type SessionStorage } from './stored-session.ts';

/** The options that identify the order of a checkout. */
export type OrderOptions = ServerOptions & {
  readonly body: string;
  readonly orderKey?: string | undefined;
};

/** Returns the storage of this order. Pages share it when they use the same server and `orderKey`, or body where there is none. */
export const orderStorage = ({ environment, baseUrl, body, orderKey }: OrderOptions): SessionStorage =>
  createSessionStorage(environment, JSON.stringify([baseUrl, orderKey ?? body]));

/** Returns the storage of the last payment link of this server. */
export const linkStorage = ({ environment, baseUrl }: OrderOptions): SessionStorage =>
  createSessionStorage(environment, JSON.stringify([baseUrl, { isLink: true }]));

/** Returns true where the page identifies the order. With an empty body the server does, by a cookie. */
export const isOrderIdentified = ({ body, orderKey }: OrderOptions): boolean =>
  orderKey !== undefined || !/^(\{}|\[]|""|null)$/.test(body);
