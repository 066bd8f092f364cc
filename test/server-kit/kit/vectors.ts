import { readFileSync } from 'node:fs';

export type RequestVector = {
  name: string;
  secret: string;
  path: string;
  body: unknown;
  timestamp: string;
  canonicalBody: string | null;
  bodyHash: string | null;
  signature: string;
};
export type CallbackVector = {
  name: string;
  secret: string;
  callbackUrl: string;
  timestamp: string;
  rawBody: string;
  signature: string;
};

/** Signatures that were computed independently of the project's code. */
export const vectors: { requests: RequestVector[]; callbacks: CallbackVector[] } = JSON.parse(
  readFileSync(new URL('../../vectors/signatures.json', import.meta.url), 'utf8'),
);
