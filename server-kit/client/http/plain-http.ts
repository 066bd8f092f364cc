/**
 * HTTP as plain values. The routes use these, and the adapters (fetch.ts, node.ts) translate: creating a native Request and
 * Response for each call would cost several times the call itself.
 */
export type PlainRequest = {
  method: string;
  /** The absolute URL as the server knows it. Only its path and host are used. */
  url: URL;
  /** The path that a framework has removed from `url` because the handler is mounted there, if it is known: `/pay`. */
  removedPath?: string | undefined;
  /** The address at the other end of the connection, if the runtime knows it; often a reverse proxy's. */
  remoteAddress?: string | undefined;
  /** Returns a header by its lower-case name. */
  header: (name: string) => string | undefined;
  /** Returns all headers, for the merchant's `getOrder`. */
  headers: () => Headers;
  /**
   * Reads the whole body. When `signal` aborts, the result is no longer needed.
   *
   * @throws {CheckoutError} `payload_too_large` past `maxBytes`, `invalid_request` for invalid UTF-8
   */
  readText: (maxBytes: number, signal: AbortSignal) => Promise<string>;
  /** Aborts when the client disconnects before it has the response. May be created when it is first read: read it only to use it. */
  signal: AbortSignal;
};

export type PlainResponse = {
  status: number;
  /** The names are in lower case. */
  headers: Record<string, string>;
  body: string | undefined;
};

/** An HTTP application in plain values. It never throws. */
export type PlainHandler = (request: PlainRequest) => Promise<PlainResponse>;
