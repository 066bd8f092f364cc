import type { PlainResponse } from '../http/plain-http.ts';

/** Sent with every response: no cache may keep payment data, and no client may guess the type of a body. */
export const commonHeaders = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
} as const;

export const jsonResponse = (status: number, body: object): PlainResponse => ({
  status,
  headers: { ...commonHeaders, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** A 204 (RFC 9110, section 15.3.5). */
export const emptyResponse = (headers: Record<string, string> = {}): PlainResponse => ({
  status: 204,
  headers: { ...commonHeaders, ...headers },
  body: undefined,
});
