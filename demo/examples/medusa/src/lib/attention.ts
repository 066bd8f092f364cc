import type { Payment } from 'transfer-checkout/server-kit/core';

type Charged = Pick<Payment, 'status' | 'chargedAmount' | 'expectedAmount'>;

/** Says why a person must look at the money of a transfer; `undefined` while nobody must. */
export function attentionTo({ status, chargedAmount, expectedAmount }: Charged): string | undefined {
  if (status === 'reversed') return 'the money was taken back';
  if (chargedAmount === null) return undefined;
  if (status === 'failed') return chargedAmount > 0 ? 'it failed with money on it' : undefined;
  if (status !== 'succeeded' || chargedAmount === expectedAmount) return undefined;
  return chargedAmount < expectedAmount ? 'too little came' : 'too much came';
}
