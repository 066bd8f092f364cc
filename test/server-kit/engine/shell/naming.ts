import {
  type PaymentPreference,
  type StoredPayment,
  toStoredPaymentsToken,
} from '../../../../src/contract/index.ts';

/** The header with which a page names the payments that it has stored, the last used first. */
export const naming = (...payments: readonly StoredPayment[]) => ({
  'checkout-secret': toStoredPaymentsToken(payments),
});

export const preferring = (preference: PaymentPreference) => ({ prefer: `payment=${preference}` });

/** A payment whose secret has the right form, and was issued by nobody. */
export const madeUp = (reference: string): StoredPayment => ({
  reference,
  clientSecret: `cs_test_zzzzzz_${'0'.repeat(64)}`,
});
