import type { Payment } from '../../../server-kit/api/payment.ts';
import type { OpenedRecord } from '../../../server-kit/payments/payment-view.ts';

/** A recorded payment of 1,000 minor units whose account is open and has no response yet. */
export const openRecord: OpenedRecord = {
  reference: 'tc_1',
  orderId: 'order-1',
  attempt: 1,
  amount: { value: 1000, currency: 'NGN' },
  opened: {
    paymentId: 'pay_1',
    account: { number: '9990000018', name: 'Shop', bankName: 'Bank' },
    openedAt: '2026-03-01T12:00:00.000Z',
    expiresAt: '2026-03-01T12:30:00.000Z',
    liveMode: false,
  },
  observed: null,
  outcome: 'pending',
  createdAt: '2026-03-01T12:00:00.000Z',
  version: 3,
};

/** The service's response that the payment is paid. */
export const paidResponse: Payment = {
  id: 'pay_1',
  reference: 'tc_1',
  currency: 'NGN',
  status: 'succeeded',
  expectedAmount: 1000,
  chargedAmount: 1000,
  liveMode: false,
  updatedAt: '2026-03-01T12:05:00.000Z',
};
