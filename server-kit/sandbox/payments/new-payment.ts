import type { SandboxWorld } from '../world.ts';
import type { SandboxPayment } from './payment.ts';

/** What makes one payment another than the next. */
export type PaymentOrigin = Pick<
  SandboxPayment,
  | 'reference'
  | 'paymentMethod'
  | 'paymentChannel'
  | 'account'
  | 'expectedAmount'
  | 'currency'
  | 'customer'
  | 'callbackUrl'
  | 'metadata'
> & { expiresInSeconds?: number | undefined };

/** A payment that begins now and waits for its money; it is not kept yet. */
export function newPayment(
  { settings, clock, mint }: SandboxWorld,
  { expiresInSeconds = settings.defaultExpiresInSeconds, ...origin }: PaymentOrigin,
): SandboxPayment {
  const createdAtMs = clock.now();
  return {
    ...origin,
    id: mint.id('pay'),
    accessToken: `tok_${mint.token(32)}`,
    createdAtMs,
    expiresAtMs: createdAtMs + expiresInSeconds * 1000,
    confirmationMs: settings.confirmationSeconds * 1000,
    facts: [],
    told: { changes: 0, untilMs: createdAtMs },
  };
}
