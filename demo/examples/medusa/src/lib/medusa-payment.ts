import type { BigNumberInput } from '@medusajs/framework/types';
import { MathBN, MedusaError } from '@medusajs/framework/utils';
import type { Money } from 'transfer-checkout/server-kit/core';
import { toMinorUnits } from 'transfer-checkout/server-kit/service';

/** The service's currencies, NGN and USD, have two decimals. */
const decimals = 2;

/** Medusa computes in major units, with more decimals than money has. */
export function amountOf(input: { amount: BigNumberInput; currency_code: string }): Money {
  const currency = input.currency_code.toUpperCase();
  const major = MathBN.convert(input.amount, decimals).toFixed();
  return { value: toMinorUnits(major, currency), currency };
}

export const notAllowed = (message: string): MedusaError =>
  new MedusaError(MedusaError.Types.NOT_ALLOWED, message);

/** Medusa shows the message to the staff, and writes it to its log when it wants to return the money of a cart that it cannot complete. */
export const refundRefused = (): MedusaError =>
  notAllowed(
    'The payments service has no refund. Send the money back by a bank transfer of your own, and record it in your books.',
  );
