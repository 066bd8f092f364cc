import type { Session } from './session.ts';

/** The most payments that a browser stores, and names in a request for a session. */
export const maxStoredPayments = 10;

/** A payment that a browser has shown before, and the secret to retrieve it. */
export type StoredPayment = Pick<Session, 'reference' | 'clientSecret'>;

const storable = /^[\w-]{1,200}$/;

/** Returns true for a reference and a secret that a server of this contract issues: both fit into a header. */
export const isStorable = ({ reference, clientSecret }: StoredPayment): boolean =>
  storable.test(reference) && storable.test(clientSecret);

/** Returns the token that names the stored payments in a request: `reference.secret~reference.secret`. */
export const toStoredPaymentsToken = (payments: readonly StoredPayment[]): string =>
  payments.map(({ reference, clientSecret }) => `${reference}.${clientSecret}`).join('~');

/** Parses such a token. Skips invalid parts, and everything beyond `maxStoredPayments`. */
export function parseStoredPaymentsToken(token: string): StoredPayment[] {
  const parts = token.split('~', maxStoredPayments).map((part) => part.split('.'));
  return parts
    .filter(({ length }) => length === 2)
    .map(([reference = '', clientSecret = '']) => ({ reference, clientSecret }))
    .filter(isStorable);
}
