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
