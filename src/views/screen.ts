import type { CheckoutModel, Settings, State } from '../model/index.ts';
import type { Frame } from './frame.ts';

/** What has a button to copy it. */
export type CopyField = 'accountNumber' | 'amount' | 'missing' | 'details' | 'askToPay' | 'receipt';

/**
 * The last attempt to copy something: what it was, and whether it worked. Of another value it says nothing. `times` tells
 * two attempts at the same thing apart.
 */
export type Copy = {
  readonly field: CopyField;
  readonly value: string;
  readonly worked: boolean;
  readonly times: number;
};

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
type MoreModule = typeof import('./more.ts');
export type More = MoreModule & { readonly later: ReturnType<MoreModule['createLater']> };

/** One moment of the checkout. What is on the screen follows from it and nothing else. */
export type Screen = {
  readonly model: CheckoutModel;
  readonly frame?: Frame | undefined;
  readonly settings: Settings;
  readonly state: State;
  readonly copied: Copy | undefined;
  readonly qr: Qr;
  /** The later part, when it is there. */
  readonly more: More | undefined;
  /** The later part did not come, and is asked for again. */
  readonly isMoreLate: boolean;
  readonly setCopied: (copied: Copy) => void;
  readonly setQr: (qr: Qr) => void;
};

/** The screen while there is an account to pay into. */
export type TransferScreenProps = Screen & {
  readonly state: Extract<State, { name: 'awaitingTransfer' | 'partlyPaid' }>;
};
