import type { CheckoutModel, State } from '../model/index.ts';

/** What has a button to copy it. */
export type CopyField = 'accountNumber' | 'amount' | 'missing';

/** The last attempt to copy something: what it was, and whether it worked. Of another value it says nothing. */
export type Copy = { readonly value: string; readonly worked: boolean };

/**
 * The QR code: not asked for, on its way, not to be had, or one path in a square of `size` units. It is of what it
 * `said` only: when the account changes, it is not shown any more.
 */
export type Qr =
  | 'hidden'
  | 'loading'
  | 'failed'
  | { readonly said: string; readonly size: number; readonly path: string };

/** The views that are loaded after the account is shown. */
export type More = typeof import('./more.ts');

/** One moment of the checkout. What is on the screen follows from it and nothing else. */
export type Screen = {
  readonly model: CheckoutModel;
  readonly state: State;
  readonly remainingMs: number | undefined;
  readonly copied: Copy | undefined;
  readonly qr: Qr;
  readonly more: More | undefined;
  readonly setCopied: (copied: Copy) => void;
  readonly setQr: (qr: Qr) => void;
};

/** The screen while there is an account to pay into. */
export type TransferScreenProps = Screen & { readonly state: Extract<State, { name: 'awaitingTransfer' }> };
