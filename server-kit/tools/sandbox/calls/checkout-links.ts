import { findOrRefuse, SandboxError } from '../errors.ts';
import { NoInput } from '../input/fields.ts';
import { addFact, effectiveMs, isOpened, paymentAt, type SandboxPayment } from '../records/payment.ts';
import { toControlPayment } from '../records/payment-views.ts';
import type { CheckoutLinkRecord, SandboxWorld } from '../world/create-world.ts';
import { createPayment } from '../world/payments.ts';
import type { ControlCalls } from './handler.ts';

/** @throws {SandboxError} 404 `checkout_link_not_found` */
export function findLink({ state }: SandboxWorld, id: string): CheckoutLinkRecord {
  const message = `No checkout link has the id "${id}"; create one first.`;
  return findOrRefuse(state.checkoutLinks.get(id), 'checkout_link_not_found', message);
}

/**
 * Returns the payment of a link, and creates it at the first call, or opens the one that is `initiated`. It waits for money until the link
 * expires. Throws 404 `checkout_link_not_found`, 409 `checkout_link_expired`
 */
export function openLink(world: SandboxWorld, id: string): SandboxPayment {
  const { clock, state, payments } = world;
  const record = findLink(world, id);
  const { link, reference } = record;
  const existing = state.payments.find((one) => one.reference === reference);
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

export const checkoutLinkCalls = {
  /** Lists every checkout link, newest first, and whether somebody has opened it, so that its payment has an account. */
  listCheckoutLinks: {
    run: ({ state }) =>
      state.checkoutLinks.list().map(({ link, reference }) => {
        const payment = state.payments.find((one) => one.reference === reference);
        return { ...link, isOpened: payment !== undefined && isOpened(payment) };
      }),
  },
  /**
   * Opens the page of a link as a shopper does, which creates the payment. Later calls return the same payment. Refuses with
   * `checkout_link_not_found`, `checkout_link_expired`.
   */
  openCheckoutLink: {
    request: NoInput,
    run: (world, id: string) => toControlPayment(openLink(world, id), world.clock.now()),
  },
} satisfies ControlCalls;
