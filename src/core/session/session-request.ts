import { contractHeaders, contractVersion, type PaymentPreference, routes } from '../../contract/routes.ts';
import { type StoredPayment, toStoredPaymentsToken } from '../../contract/stored-payments.ts';

/** The options that identify a request for a session. */
export type SessionRequest = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** JSON for the merchant's `createPayment`. */
  readonly body: string;
  /** `same-origin` when left out. */
  readonly credentials?: RequestCredentials | undefined;
};

/** A request for a session that was sent before the widget was loaded. */
export type EarlyRequest = {
  /** The response, and when it arrived on the monotonic clock. */
  readonly response: Promise<{ readonly response: Response; readonly arrivedAtMs: number }>;
  readonly abort: () => void;
};

/** Options of every request to the checkout server. */
export const commonInit = {
  cache: 'no-store',
  // A redirect would pass the client secret on.
  redirect: 'error',
} as const;

export const versionHeader: Readonly<Record<string, string>> = {
  [contractHeaders.version]: `${contractVersion}`,
};

/** Returns the headers of a request for a session: the payments that this browser has stored, and what the page prefers to get. */
export const sessionHeaders = (
  stored: readonly StoredPayment[] = [],
  preference?: PaymentPreference,
): Record<string, string> => ({
  'content-type': 'application/json',
  ...(stored.length > 0 && { authorization: `Bearer ${toStoredPaymentsToken(stored)}` }),
  ...(preference && { prefer: `payment=${preference}` }),
});

export const sessionUrl = ({ baseUrl }: SessionRequest): string => baseUrl + routes.sessions;

/** Returns a key that is equal for equal requests. */
export const sessionRequestKey = ({ baseUrl, body, credentials = 'same-origin' }: SessionRequest): string =>
  JSON.stringify([baseUrl, body, credentials]);
