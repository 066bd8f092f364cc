import { CheckoutError } from '../../../src/contract/index.ts';
import type { Callback } from '../../core/signature.ts';
import type { Log } from '../telemetry/log.ts';

/** A signed callback about a payment of no order, and the payment's reference. */
export type UnknownPayment = Callback & { reference: string };

export type OnUnknownPayment = (payment: UnknownPayment) => unknown;

export type UnknownPayments = ReturnType<typeof createUnknownPayments>;

/** As many as a person reads. */
const maxListed = 20;

/** Creates what receives the callbacks about payments of no order, and lists the references of the last ones without a handler. */
export function createUnknownPayments(onUnknownPayment: OnUnknownPayment | undefined, log: Log) {
  const references = new Set<string>();
  return {
    /** @throws {CheckoutError} `internal_error` with what the handler throws as its cause */
    async receive(payment: UnknownPayment): Promise<void> {
      const { reference } = payment;
      try {
        await onUnknownPayment?.(payment);
      } catch (cause) {
        throw new CheckoutError('internal_error', `onUnknownPayment has failed for ${reference}.`, { cause });
      }
      if (onUnknownPayment !== undefined) return;
      log({ type: 'unknownPayment', reference, message });
      references.delete(reference);
      references.add(reference);
      for (const oldest of references) if (references.size > maxListed) references.delete(oldest);
    },
    /** The references, the newest last. */
    list: (): string[] => [...references],
  };
}

const message =
  'The service has sent a callback about a payment of no order here. Pass onUnknownPayment to createCheckout to receive such callbacks.';
