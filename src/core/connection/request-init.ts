import { contractHeaders, contractVersion } from '../../contract/routes.ts';

/** A response and its body; of an early request also when it arrived, on the monotonic clock. */
export type ReadResponse = {
  readonly response: Response;
  /** Undefined where the body is not JSON. */
  readonly json: unknown;
  readonly arrivedAtMs?: number;
};

/** A request for a session that was sent before the widget was loaded. */
export type EarlyRequest = {
  readonly response: Promise<ReadResponse>;
  readonly abort: () => void;
};

/** Options of every request to the checkout server. */
export const requestInit = {
  cache: 'no-store',
  // A redirect would pass the client secret on.
  redirect: 'error',
} as const;

/** Reads the body by the response's own parser, because a page may have replaced `JSON.parse`, for example to read dates. */
export async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if ((error as Error).name === 'SyntaxError') return undefined;
    throw error;
  }
}

export const versionHeader: Readonly<Record<string, string>> = {
  [contractHeaders.version]: `${contractVersion}`,
};
