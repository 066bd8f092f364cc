import type { PlainRequest } from '../../../../server-kit/core/http.ts';

export type RequestParts = {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
};

/** Creates the request that a server adapter would pass on. */
export const plainRequest = ({
  method,
  url,
  headers = {},
  body = '',
  signal,
}: RequestParts): PlainRequest => ({
  method,
  url: new URL(url),
  header: (name) => headers[name],
  headers: () => new Headers(headers),
  readText: async () => body,
  signal: signal ?? new AbortController().signal,
});
