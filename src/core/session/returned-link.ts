import { CheckoutError, CheckoutLink, routes, type Session } from '../../contract/index.ts';
import type { Event } from '../machine/machine.ts';
import { isNamed, type OrderOptions, storageOf, storageOfLink } from './order.ts';
import { lookAtStored } from './resume.ts';
import { type Answer, type Ask, createAsk, readAs } from './session-client.ts';
import { findStored } from './stored-session.ts';

/**
 * Asks for a page on which the order can be paid, and keeps what lets this browser see the payment afterwards. Gives the
 * page's address.
 *
 * @throws {CheckoutError} with a code of the closed list
 */
export async function createLink(order: OrderOptions): Promise<string> {
  const { value } = await createAsk(order)(
    routes.links,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: order.body,
      signal: new AbortController().signal,
    },
    (response) => readAs(CheckoutLink, response),
  );
  storageOf(order).write(value);
  storageOfLink(order).write(value);
  return value.authorizationUrl;
}

export type FindOptions = {
  readonly ask: Ask;
  readonly signal: AbortSignal;
  /** Which payment the page's address speaks of. It only chooses among those that this browser knows. */
  readonly reference: string | undefined;
  readonly send: (event: Event) => void;
};

/**
 * Finds the payment that a shopper comes back from, and asks the server how it stands: no word of the page's address is
 * believed. Never makes a new one.
 *
 * @throws {CheckoutError} `session_unknown` when this browser knows no such payment, or may not see it any more; and as a look does
 */
export async function findReturned(
  order: OrderOptions,
  { ask, signal, reference, send }: FindOptions,
): Promise<Answer<Session>> {
  const storage = isNamed(order) ? storageOf(order) : storageOfLink(order);
  const stored = (reference && findStored(order.environment, reference)) || storage.read();
  if (stored) send({ type: 'storedFound' });
  const seen = stored && (await lookAtStored({ ask, storage, signal }, stored));
  if (seen) return seen;
  throw new CheckoutError(
    'session_unknown',
    'This browser does not know the payment; the shop’s server does. Tell the shopper when it is paid.',
  );
}
