import type { PlainRequest } from './plain-http.ts';

/** Returns the token of `Authorization: Bearer` (RFC 6750, section 2.1); empty if there is none. */
export function bearerToken(request: PlainRequest): string {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(request.header('authorization') ?? '')?.[1] ?? '';
}
