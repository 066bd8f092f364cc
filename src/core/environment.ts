/** The browser's interfaces that the checkout uses. They are injected, so that tests control them and widgets on one page share no state. */
export type Environment = {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The requests of all checkouts on the page that a server holds at this moment. */
  readonly held: { count: number };
  readonly now: () => number;
  /** The phone's date, in milliseconds since the epoch. It may be wrong: use only differences. */
  readonly date: () => number;
  readonly random: () => number;
  readonly setTimer: (callback: () => void, ms: number) => () => void;
  readonly isHidden: () => boolean;
  /** True when the device certainly has no network. False means unknown. */
  readonly isOffline: () => boolean;
  /** Observes events of the window and the document by type. Returns a function that stops. */
  readonly observe: (types: readonly string[], listener: (type: string) => void) => () => void;
  /** Returns the stored text, if any; it outlives the page. Where storage is blocked, nothing is stored. */
  readonly readStored: () => string | null;
  readonly writeStored: (text: string) => void;
  /** Returns which payments this browser has reported as paid, if any. It is stored like the text above. */
  readonly readReported: () => string | null;
  readonly writeReported: (text: string) => void;
  readonly readLanguage: () => string | null;
  readonly writeLanguage: (tag: string) => void;
  readonly report: (error: unknown) => void;
};

/** Resolves after `ms` milliseconds, at one of these events, or as soon as the signal is aborted. Never rejects: check the signal. */
export function pause(
  { setTimer, observe }: Environment,
  signal: AbortSignal,
  ms = Number.POSITIVE_INFINITY,
  events: readonly string[] = [],
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = (): void => {
      cancel?.();
      stop();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = Number.isFinite(ms) ? setTimer(finish, ms) : undefined;
    const stop = observe(events, finish);
    signal.addEventListener('abort', finish);
  });
}
