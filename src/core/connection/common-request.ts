import { contractHeaders, contractVersion } from '../../contract/routes.ts';

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
