import { UsageError } from '../terminal/cli-error.ts';

/** The headers of a signed message as they are sent. */
export const signedHeaders = (
  signature: string,
  timestamp: string,
  hasBody = true,
): Record<string, string> => ({
  ...(hasBody && { 'Content-Type': 'application/json' }),
  'Request-Signature': signature,
  'Request-Timestamp': timestamp,
});

/**
 * Parts the path that is signed from the query that is not.
 *
 * @throws {UsageError} for what is not a path of the service
 */
export function readSignedPath(text: string): { path: string; search: string } {
  const [, path = '', search = ''] = /^(\/v1\/[^?#\s]+)(\?[^#\s]*)?$/i.exec(text) ?? [];
  if (path === '') {
    throw new UsageError('The path begins at /v1, without host and base path: /v1/payments.');
  }
  return { path, search };
}
