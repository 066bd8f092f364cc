import type { Currency } from '../../api/fields.ts';

/** Money that was sent to an account, and what the bank did with it. Amounts in minor units. */
export type Transfer = { id: string; amount: number } & (
  | { status: 'accepted' }
  | { status: 'returned'; reason: string }
);

/** A transfer as the control calls show it. Amounts in minor units, whatever the dialect says. */
export type ControlTransfer = Transfer & { currency: Currency; accountNumber: string; createdAt: string };

/** @param returnReason why the bank returns the money; `undefined` where it takes it */
export const toTransfer = (
  money: { id: string; amount: number },
  returnReason: string | undefined,
): Transfer =>
  returnReason === undefined
    ? { ...money, status: 'accepted' }
    : { ...money, status: 'returned', reason: returnReason };
