import type { Dialect } from '../../../client/api/dialect.ts';

/** A received request whose signature is verified. */
export type SignedRequest = {
  request: Request;
  /** Without the sandbox's base path. */
  path: string;
  bodyText: string | undefined;
  nowMs: number;
};

/** Settings of the sandbox that the signature of a request depends on. */
export type SigningSettings = {
  apiKey: string;
  apiSecret: string;
  authToken: string;
  basePath: string;
  dialect: Readonly<Dialect>;
};
