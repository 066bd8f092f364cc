import type { PaymentView, Session } from '../../src/contract/index.ts';
import type { StateName } from '../../src/core/state.ts';

/** All state names, in the order in which a payment may pass them. */
export const stateNames = [
  'loading',
  'awaitingTransfer',
  'checking',
  'partlyPaid',
  'confirming',
  'succeeded',
  'expired',
  'receivedLate',
  'failed',
  'reversed',
  'unavailable',
] as const satisfies readonly StateName[];

/** The service's clock in `headersOf`. */
export const serviceTimeMs = Date.parse('2026-03-01T12:00:00Z');

/** A payment that waits for money. */
export function viewOf(changes: Partial<PaymentView> = {}): PaymentView {
  return {
    reference: 'order-1001-1',
    account: { number: '9012345678', name: 'Kola Bookshop', bankName: 'Sandbox Bank' },
    amount: { value: 1_250_000, currency: 'NGN' },
    chargedAmount: 0,
    status: 'awaiting_charge',
    outcome: 'pending',
    openedAt: '2026-03-01T12:00:00Z',
    expiresAt: '2026-03-01T12:30:00Z',
    liveMode: false,
    ...changes,
  };
}

export const clientSecret = 'cs_test_do-not-tell';

export function sessionOf(changes: Partial<PaymentView> = {}): Session {
  return { ...viewOf(changes), clientSecret };
}

/** The headers of a response; the `etag` distinguishes views. */
export function headersOf(etag: string, more: Record<string, string> = {}): Record<string, string> {
  return { etag: `"${etag}"`, 'checkout-service-time': String(serviceTimeMs), ...more };
}
