import * as v from 'valibot';
import type { Checkout } from '../../../checkout/checkout.ts';
import { outboxOutcomes } from '../../../checkout/order/event.ts';
import type { CheckoutStatus } from '../../../checkout/telemetry/measures.ts';
import type { Io } from '../terminal/io.ts';
import { callCheckout, readReconcileKey } from './call-checkout.ts';
import { loadCheckout } from './load-checkout.ts';
import { missingSource, type SourceOptions } from './source-options.ts';

/** The members of a checkout that the command uses. Another copy of the package may have created it. */
type WithStatus = Pick<Checkout, 'status' | 'stop'>;

/** Enough for a hundred parked events with the longest names in escaped characters. */
const maxBytes = 1_000_000;

const Age = v.nullable(v.number());
const Status = v.object({
  outcomes: v.object(v.entriesFromList([...outboxOutcomes, 'late'], v.number())),
  oldestUnpaid: v.nullable(v.object({ orderId: v.string(), reference: v.string() })),
  oldestUnpaidMs: Age,
  oldestConfirmingMs: Age,
  checkLagMs: v.number(),
  pendingOutboxEvents: v.number(),
  parkedEvents: v.number(),
  unknownPayments: v.array(v.string()),
  waiting: v.array(
    v.object({
      key: v.string(),
      orderId: v.string(),
      outcome: v.picklist(outboxOutcomes),
      reference: v.string(),
      amount: v.nullable(v.object({ value: v.number(), currency: v.string() })),
      state: v.picklist(['parked', 'failing']),
      tries: v.number(),
      failure: v.nullable(v.string()),
    }),
  ),
});

/** @throws {UsageError} without a module and a URL, or without a key */
export async function readStatusFrom(options: SourceOptions, io: Io): Promise<CheckoutStatus> {
  const { module, url, keyEnv } = options;
  if (module !== undefined) {
    const checkout = await loadCheckout<WithStatus>({ ...options, module }, ['status', 'stop']);
    return checkout.status().finally(checkout.stop);
  }
  if (url === undefined) throw missingSource();
  const key = readReconcileKey(keyEnv, io.env);
  return callCheckout({ url: `${url}/status`, method: 'GET', key, keyEnv, maxBytes }, Status, io);
}
