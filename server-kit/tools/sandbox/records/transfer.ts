import type { Currency } from '../../../client/api/fields.ts';

/** Money sent to an account, which the bank accepted or returned. Amounts are in minor units. */
export type Transfer = { id: string; amount: number } & (
  | { status: 'accepted' }
  | { status: 'returned'; reason: string }
);

/** A transfer in a control call. Amounts are in minor units in every dialect. */
export type ControlTransfer = Transfer & { currency: Currency; accountNumber: string; createdAt: string };

/** @param returnReason why the bank returns the money; `undefined` when it accepts it */
export const toTransfer = (
  money: { id: string; amount: number },
  returnReason: string | undefined,
): Transfer =>
  returnReason === undefined
    ? { ...money, status: 'accepted' }
    : { ...money, status: 'returned', reason: returnReason };
