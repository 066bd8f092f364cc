/**
 * What the checkout needs from the world around it. Everything that waits, guesses or reaches out comes through here,
 * so that tests can hold it and two widgets on a page share nothing.
 */
export type Environment = {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** A monotonic clock, in milliseconds from any beginning. Never the phone's date. */
  readonly now: () => number;
  /** The phone's date, in milliseconds since the epoch. It may be wrong: only a leap of it says something. */
  readonly date: () => number;
  /** From 0 up to, but without, 1. */
  readonly random: () => number;
  /** Calls back once after `ms` milliseconds, unless the returned function is called before. */
  readonly setTimer: (callback: () => void, ms: number) => () => void;
  /** True while nobody can see the page. */
  readonly isHidden: () => boolean;
  /** True when the device is sure to have no network. False says nothing. */
  readonly isOffline: () => boolean;
  /** True when the shopper has asked for little to be loaded. */
  readonly savesData: () => boolean | undefined;
  /** Tells of events of the window and the document by their types. Returns a function that ends it. */
  readonly observe: (types: readonly string[], listener: (type: string) => void) => () => void;
  /** The text that was kept last, if any: it outlives the page. Both may throw, where the browser forbids it. */
  readonly readStored: () => string | null;
  readonly writeStored: (text: string) => void;
  /** Locks among the tabs of this site; `undefined` in browsers without them. May throw. */
  readonly locks: () => SharedLocks | undefined;
  /** A channel to the other tabs of this site. May throw. */
  readonly openChannel: (name: string) => SharedChannel;
  /** The last resort for an error that nobody has asked to be told. */
  readonly report: (error: unknown) => void;
};

/** The part of `LockManager` that is used. */
export type SharedLocks = {
  readonly request: (
    name: string,
    options: { readonly signal: AbortSignal },
    hold: () => Promise<void>,
  ) => Promise<unknown>;
};

/** The part of `BroadcastChannel` that is used. */
export type SharedChannel = {
  onmessage: ((event: MessageEvent) => void) | null;
  readonly postMessage: (message: unknown) => void;
  readonly close: () => void;
};
