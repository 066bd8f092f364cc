/**
 * What the checkout needs from the world around it. Everything that waits, guesses or reaches out comes through here,
 * so that tests can hold it and two widgets on a page share nothing.
 */
export type Environment = {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** A monotonic clock, in milliseconds from any beginning. Never the phone's date. */
  readonly now: () => number;
  /** From 0 up to, but without, 1. */
  readonly random: () => number;
  /** Calls back once after `ms` milliseconds, unless the returned function is called before. */
  readonly setTimer: (callback: () => void, ms: number) => () => void;
  /** True while nobody can see the page. */
  readonly isHidden: () => boolean;
  /**
   * Tells when the page gets hidden (`hidden`), and when a look at the server is due because the page was shown,
   * restored or came back online (`wake`). Returns a function that ends it.
   */
  readonly observe: (listener: (event: 'hidden' | 'wake') => void) => () => void;
  /** The last resort for an error that nobody has asked to be told. */
  readonly report: (error: unknown) => void;
};
