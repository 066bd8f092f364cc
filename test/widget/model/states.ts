import type { PaymentView } from '../../../src/contract/index.ts';
import { type Connection, type State, stateOfPayment } from '../../../src/core/state.ts';
import { viewOf } from '../../core/views.ts';

type ShownName = Extract<State, { payment: unknown }>['name'];

/** A state that shows a payment; `checking` for a transfer claim, unless the payment itself is unclear. */
export function shown(
  name: ShownName,
  changes: Partial<PaymentView> = {},
  connection: Connection = 'ok',
): Extract<State, { payment: unknown }> {
  const payment = viewOf(changes);
  if (name !== 'checking') return { name, payment, connection };
  const reason = stateOfPayment(payment, connection).name === 'checking' ? 'unclear' : 'sent';
  return { name, payment, connection, reason };
}

/** Every state, in all its variants. */
export const everyState: readonly State[] = [
  { name: 'loading', failures: 0 },
  { name: 'loading', failures: 0, stored: { reference: 'order-1001-1', isClaimed: false } },
  { name: 'loading', failures: 1 },
  shown('awaitingTransfer'),
  shown('checking'),
  shown('checking', { outcome: 'expired' }),
  shown('checking', { chargedAmount: 500_000 }),
  shown('checking', { outcome: 'unclear' }),
  shown('checking', { outcome: 'unclear', status: 'not_found' }),
  shown('checking', { outcome: 'unclear' as 'pending', authorizationUrl: 'https://pay.example/1' }),
  shown('partlyPaid', { chargedAmount: 500_000 }),
  shown('confirming', { status: 'charged' }),
  shown('succeeded', { outcome: 'paid', chargedAmount: 1_250_000 }),
  shown('succeeded', { outcome: 'paid', chargedAmount: 1_300_000 }),
  shown('succeeded', { outcome: 'paid', chargedAmount: 1_250_000, orderChargedAmount: 2_500_000 }),
  shown('awaitingTransfer', { orderChargedAmount: 500_000 }),
  shown('expired', { outcome: 'expired' }),
  shown('expired', { outcome: 'expired', chargedAmount: 500_000 }),
  shown('expired', { outcome: 'replaced' }),
  shown('receivedLate', { outcome: 'paid', receivedLate: true, chargedAmount: 1_250_000 }),
  shown('failed', { outcome: 'failed' }),
  shown('failed', { outcome: 'amountMismatch', chargedAmount: 1_000_000 }),
  shown('reversed', { outcome: 'reversed' }),
  { name: 'unavailable', code: 'network_error', failures: 1 },
  { name: 'unavailable', code: 'session_unknown', failures: 1 },
  { name: 'unavailable', code: 'forbidden', failures: 1, previous: viewOf() },
  {
    name: 'unavailable',
    code: 'network_error',
    failures: 1,
    stored: { reference: 'order-1001-1', isClaimed: true },
  },
];
