import { UsageError } from '../terminal/cli-error.ts';

/** Returns the headers of a signed message. */
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
 * Splits the signed path from the unsigned query.
 *
 * @throws {UsageError} for text that is not a path of the service
 */
export function readSignedPath(text: string): { path: string; search: string } {
  const [, path = '', search = ''] = /^(\/v1\/[^?#\s]+)(\?[^#\s]*)?$/i.exec(text) ?? [];
  if (path === '') {
    throw new UsageError('The path must begin with /v1, without host and base path: /v1/payments.');
  }
  return { path, search };
}
