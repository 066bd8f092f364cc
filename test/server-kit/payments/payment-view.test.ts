import { describe, expect, it } from 'vitest';
import { toPaymentView } from '../../../server-kit/payments/payment-view.ts';
import { outcomes } from '../../../src/contract/session.ts';
import { openRecord } from './records.ts';

describe('the view of a payment', () => {
  it('names the shop’s order for the receipt, once it is paid and not before', () => {
    const withOrder = outcomes.filter((outcome) => {
      const view = toPaymentView({ ...openRecord, outcome });
      return view.orderId === 'order-1';
    });
    expect(withOrder).toEqual(['paid']);
  });
});
