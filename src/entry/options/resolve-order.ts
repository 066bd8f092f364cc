import type { ValidOrder } from '../../options/order-options.ts';

/** Returns the options of the order as requests and the storage use them, with defaults. */
export const resolveOrder = ({ baseUrl = '/checkout', body = {}, credentials, orderKey }: ValidOrder) => ({
  baseUrl: baseUrl.replace(/\/$/, ''),
  body: JSON.stringify(body),
  credentials,
  orderKey,
});
