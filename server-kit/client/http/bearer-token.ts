import type { PlainRequest } from './plain-http.ts';

/** Returns the bearer token of the `Authorization` header (RFC 6750, section 2.1), or an empty string if it has none. */
export function bearerToken(request: PlainRequest): string {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(request.header('authorization') ?? '')?.[1] ?? '';
}
