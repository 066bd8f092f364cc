/**
 * HTTP as plain values. The proxy's routes are written over these, and the adapters (fetch.ts, node.ts) translate
 * in a few lines: building a native Request and Response for each call costs several times what the call does.
 */
export type PlainRequest = {
  method: string;
  /** The URL as the server knows it, absolute. Only its path and host are read. */
  url: URL;
  /** The address at the other end of the connection, where the runtime tells: as a rule a reverse proxy's. */
  remoteAddress?: string | undefined;
  /** Reads a header by its lower-case name. */
  header: (name: string) => string | undefined;
  /** All headers, for the merchant's `createPayment`. */
  headers: () => Headers;
  /**
   * Reads the whole body. Nobody waits for it any more when `signal` aborts.
   *
   * @throws {CheckoutError} `payload_too_large` past `maxBytes`, `invalid_request` for bytes that are not UTF-8
   */
  readText: (maxBytes: number, signal: AbortSignal) => Promise<string>;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
};

export type PlainResponse = {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: string | undefined;
};

/** A whole HTTP application in plain values. It never throws. */
export type PlainHandler = (request: PlainRequest) => Promise<PlainResponse>;
