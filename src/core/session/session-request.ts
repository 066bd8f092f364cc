import { contractHeaders, contractVersion, routes } from '../../contract/routes.ts';

/** What says which session is asked for. */
export type SessionRequest = {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** JSON for the merchant's `createPayment`. */
  readonly body: string;
  /** `same-origin` when left out. */
  readonly credentials?: RequestCredentials | undefined;
};

/** A request for a session that was sent before the checkout was there. */
export type EarlyRequest = {
  /** The response, and when it arrived, on the monotonic clock. */
  readonly response: Promise<{ readonly response: Response; readonly arrivedAtMs: number }>;
  readonly abort: () => void;
};

/** What every request to the checkout server has. */
export const commonInit = {
  cache: 'no-store',
  // A redirect would hand the client secret on.
  redirect: 'error',
} as const;

export const versionHeader: Readonly<Record<string, string>> = {
  [contractHeaders.version]: `${contractVersion}`,
};

/** The POST for the session of an order. */
export const sessionPost = { method: 'POST', headers: { 'content-type': 'application/json' } } as const;

/** Where it goes, and what tells two requests for a session apart. */
export const sessionUrl = ({ baseUrl }: SessionRequest): string => baseUrl + routes.sessions;
export const sessionRequestKey = ({ baseUrl, body, credentials = 'same-origin' }: SessionRequest): string =>
  JSON.stringify([baseUrl, body, credentials]);
