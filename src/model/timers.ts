import type { ReadonlySignal } from '@preact/signals';

/** What goes on beside the states while a checkout is shown, and what a shopper can do about it. */
export type Timers = {
  /** How much time there is to pay, in milliseconds; undefined where that does not count, or is not known yet. */
  readonly remainingMs: ReadonlySignal<number | undefined>;
  /** How long ago the server last responded, in milliseconds, while the network is away or money is looked for. */
  readonly sinceLookMs: ReadonlySignal<number | undefined>;
  /** Sequence number of the latest check that the shopper requested; undefined where the last check was not requested. */
  readonly answer: ReadonlySignal<number | undefined>;
  /** The shopper's money has been looked for for so long that it needs another word. */
  readonly isLong: ReadonlySignal<boolean>;
  /** Another account was asked for, and the server has kept this payment. */
  readonly isKept: ReadonlySignal<boolean>;
  /** How soon the page goes back to the shop by itself, in seconds; undefined when it does not. */
  readonly returnInSeconds: ReadonlySignal<number | undefined>;
  /** Where the shopper wants to go, and has to be warned first. */
  readonly leaving: ReadonlySignal<(() => void) | undefined>;
  /** Calls `go`: at once where nothing speaks against it, or when the shopper has read the warning. */
  readonly leave: (go: () => void) => void;
  /** The shopper does not leave after all. */
  readonly stayHere: () => void;
  /** Checks the payment at once, and notes that the shopper requested it. */
  readonly checkAgain: () => void;
  /** The shopper does not want to be led back. */
  readonly stopReturning: () => void;
  readonly stop: () => void;
};
