import type { Actions, CheckoutModel, Settings, Speech, State } from '../model/index.ts';
import type { Beside, LaterActions, ToPay } from '../model/more.ts';
import type { Frame } from './frame.ts';

/** What has a button to copy it. */
export type CopyField =
  | 'accountNumber'
  | 'amount'
  | 'missing'
  | 'reference'
  | 'details'
  | 'askToPay'
  | 'receipt';

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
export type More = typeof import('./more.ts') & { readonly later: LaterActions };

/** One moment of the checkout, in plain values. What is on the screen follows from it and nothing else. */
export type Screen = Beside & {
  readonly model: Actions & Pick<CheckoutModel, 'clock'>;
  readonly speech: Speech;
  readonly frame?: Frame | undefined;
  readonly settings: Settings;
  readonly state: State;
  readonly copied: Copy | undefined;
  readonly qr: Qr;
  /** The later part, when it is there. */
  readonly more: More | undefined;
  /** The later part did not come, and is asked for again. */
  readonly isMoreLate: boolean;
  /** What is spoken, each in a voice of its own; until it is known, the title and what belongs to it. */
  readonly voices?: readonly string[] | undefined;
  /** What a press has not certainly done, and what to do then; shown by the ways out. */
  readonly note?: string | undefined;
  readonly setNote?: ((note: string | undefined) => void) | undefined;
  readonly setCopied: (copied: Copy) => void;
  readonly setQr: (qr: Qr) => void;
};

/** The screen while there is an account to pay into. */
export type TransferScreenProps = Screen & {
  readonly state: ToPay;
};
