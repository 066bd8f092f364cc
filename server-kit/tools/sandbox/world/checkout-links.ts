import { findOrRefuse, SandboxError } from '../errors/sandbox-error.ts';
import type { CheckoutLinkRecord } from '../records/checkout-link.ts';
import { addFact, effectiveMs, isOpened, paymentAt, type SandboxPayment } from '../records/payment.ts';
import { createPayment } from './payments.ts';
import type { SandboxWorld } from './world.ts';

/** @throws {SandboxError} 404 `checkout_link_not_found` */
export const findLink = ({ state }: SandboxWorld, id: string): CheckoutLinkRecord =>
  findOrRefuse(
    state.checkoutLinks.get(id),
    'checkout_link_not_found',
    `No checkout link has the id "${id}"; create one first.`,
  );

/**
 * Returns the payment of a link, and creates it at the first call, or opens the one that is `initiated`. It waits for money
 * until the link expires.
 *
 * @throws {SandboxError} 404 `checkout_link_not_found`, 409 `checkout_link_expired`
 */
export function openLink(world: SandboxWorld, id: string): SandboxPayment {
  const { clock, state, payments } = world;
  const record = findLink(world, id);
  const { link, reference } = record;
  const existing = state.payments.by('reference', reference);
  if (existing !== undefined && isOpened(existing)) return existing;
  const expiresAtMs = Date.parse(link.expiresAt ?? '');
  if (expiresAtMs <= clock.now()) {
    throw new SandboxError('checkout_link_expired', 'The checkout link has expired; create another one.');
  }
  if (existing === undefined) return payments.put(createLinkPayment(world, record));
  const atMs = effectiveMs(existing, clock.now());
  if (paymentAt(existing, atMs).status !== 'initiated') return existing;
  return payments.put(addFact(existing, { kind: 'status', atMs, status: 'awaiting_charge' }));
}

/** Creates the payment of a link. The caller stores it. */
export function createLinkPayment(world: SandboxWorld, record: CheckoutLinkRecord): SandboxPayment {
  const { link, reference, customer = null } = record;
  const { amount, callbackUrl = null, returnUrl = null } = link;
  const payment = createPayment(world, {
    reference,
    customer,
    callbackUrl,
    returnUrl,
    paymentMethod: 'pay_with_transfer',
    paymentChannel: 'checkout',
    expectedAmount: amount?.value ?? 0,
    currency: amount?.currency as SandboxPayment['currency'],
    metadata: { ...link.metadata },
  });
  return { ...payment, expiresAtMs: Date.parse(link.expiresAt ?? '') };
}
