import { contractHeaders, type PaymentPreference, routes } from '../../contract/routes.ts';
import { type StoredPayment, toStoredPaymentsToken } from '../../contract/stored-payments.ts';

/** The options that identify a request for a session. */
export type SessionRequest = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** JSON for the merchant's `getOrder`. */
  readonly body: string;
  /** `same-origin` when left out. */
  readonly credentials?: RequestCredentials | undefined;
};

/** Returns the headers of a request for a session: the payments that this browser has stored, and what the page prefers to get. */
export const sessionHeaders = (
  stored: readonly StoredPayment[] = [],
  preference?: PaymentPreference,
): Record<string, string> => ({
  'content-type': 'application/json',
  ...(stored.length > 0 && { [contractHeaders.secret]: toStoredPaymentsToken(stored) }),
  ...(preference && { prefer: `payment=${preference}` }),
});

export const sessionUrl = ({ baseUrl }: SessionRequest): string => baseUrl + routes.sessions;

/** Returns a key that is equal for equal requests. */
export const sessionRequestKey = ({ baseUrl, body, credentials = 'same-origin' }: SessionRequest): string =>
  JSON.stringify([baseUrl, body, credentials]);
