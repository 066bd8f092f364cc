import type { Callbacks } from '../callbacks/callbacks.ts';
import type { SandboxClock } from '../clock/clock.ts';
import {
  effectiveMs,
  nextTimedChange,
  paymentAt,
  paymentHistory,
  type SandboxPayment,
} from '../records/payment.ts';
import { toPaymentIn } from '../records/payment-views.ts';
import type { SandboxState } from './state.ts';

/** Writes payments and sends one callback for each change. No other code writes payments. */
export type PaymentWriter = {
  /** Stores the payment and sends callbacks for its changes up to now. */
  put: (payment: SandboxPayment) => SandboxPayment;
  /** Does the same for each payment that time alone has changed. */
  passTime: () => void;
  /** When time will next change a payment, in milliseconds since the epoch; infinite for never. */
  nextDueMs: () => number;
};

export function createPaymentWriter({
  clock,
  state,
  callbacks,
}: {
  clock: SandboxClock;
  state: Pick<SandboxState, 'payments'>;
  callbacks: Pick<Callbacks, 'notify'>;
}): PaymentWriter {
  /** When time will change each payment that can still change, by its id. */
  const waiting = new Map<string, number>();
  let earliestMs = Number.POSITIVE_INFINITY;

  function watch(payment: SandboxPayment): void {
    const next = nextTimedChange(payment, paymentAt(payment, payment.told.untilMs));
    if (next === undefined) return void waiting.delete(payment.id);
    waiting.set(payment.id, next.atMs);
    earliestMs = Math.min(earliestMs, next.atMs);
  }

  function put(payment: SandboxPayment): SandboxPayment {
    const { changes } = paymentHistory(payment, effectiveMs(payment, clock.now()));
    const untilMs = changes.at(-1)?.updatedAtMs ?? payment.createdAtMs;
    const kept = state.payments.put({ ...payment, told: { changes: changes.length, untilMs } });
    for (const change of changes.slice(payment.told.changes)) {
      const { id, callbackUrl } = payment;
      callbacks.notify({
        record: 'payment',
        id,
        status: change.status,
        callbackUrl,
        data: toPaymentIn(change, payment),
      });
    }
    watch(kept);
    return kept;
  }

  for (const payment of state.payments.list()) watch(payment);

  return {
    put,
    passTime() {
      const nowMs = clock.now();
      if (nowMs < earliestMs) return;
      earliestMs = Number.POSITIVE_INFINITY;
      for (const [id, dueMs] of waiting) {
        const payment = dueMs <= nowMs ? state.payments.get(id) : undefined;
        if (payment !== undefined) put(payment);
        else earliestMs = Math.min(earliestMs, dueMs);
      }
    },
    nextDueMs: () => earliestMs,
  };
}
