import type { CheckoutLink } from '../../api/checkout-link.ts';
import { found, SandboxError } from '../errors/sandbox-error.ts';
import { NoInput } from '../input/fields.ts';
import { parseInput } from '../input/parse-input.ts';
import { newPayment } from '../records/new-payment.ts';
import type { SandboxPayment } from '../records/payment.ts';
import { type ControlPayment, toControlPayment } from '../records/payment-views.ts';
import type { CheckoutLinkRecord } from '../world/state.ts';
import type { SandboxWorld } from '../world/world.ts';
import { type ControlCall, controlCallsOf } from './control-call.ts';

/** A checkout link as the control calls show it. Amounts in minor units. */
export type ControlCheckoutLink = CheckoutLink & {
  /** Whether somebody has opened it, so that there is a payment of its reference. */
  isOpened: boolean;
};

export type CheckoutLinksControl = {
  /** Every checkout link, newest first. */
  listCheckoutLinks: () => readonly ControlCheckoutLink[];
  /**
   * What happens when a shopper opens the page of a link: the payment comes into being. Opened again, it is the same one.
   *
   * Refuses with `checkout_link_not_found`, `checkout_link_expired`.
   */
  openCheckoutLink: (id: string) => ControlPayment;
};

export function createCheckoutLinksControl(world: SandboxWorld): CheckoutLinksControl {
  const { state, clock } = world;
  return {
    listCheckoutLinks: () =>
      state.checkoutLinks.list().map(({ link, reference }) => ({
        ...link,
        isOpened: state.payments.by('reference', reference) !== undefined,
      })),
    openCheckoutLink: (id) => toControlPayment(openLink(world, id), clock.now()),
  };
}

const call = controlCallsOf<CheckoutLinksControl>();

export const checkoutLinkCalls = {
  listCheckoutLinks: call({
    method: 'GET',
    path: '/_sandbox/checkout_links',
    summary: 'All checkout links, newest first: { data }',
    answer: (control) => ({ data: control.listCheckoutLinks() }),
  }),
  openCheckoutLink: call({
    method: 'POST',
    path: '/_sandbox/checkout_links/{id}/open',
    summary: 'Opens a link as a shopper does, and answers with its payment; send {}',
    request: NoInput,
    answer(control, { id }, body) {
      parseInput(NoInput, body);
      return control.openCheckoutLink(id);
    },
  }),
} satisfies Record<keyof CheckoutLinksControl, ControlCall<CheckoutLinksControl>>;

/** @throws {SandboxError} 404 `checkout_link_not_found` */
export const foundLink = ({ state }: SandboxWorld, id: string): CheckoutLinkRecord =>
  found(
    state.checkoutLinks.get(id),
    'checkout_link_not_found',
    `No checkout link has the id "${id}"; create one first.`,
  );

/**
 * The payment of a link: made now, where nobody has opened it before. It waits for its money until the link ends.
 *
 * @throws {SandboxError} 404 `checkout_link_not_found`, 409 `checkout_link_expired`
 */
export function openLink(world: SandboxWorld, id: string): SandboxPayment {
  const { clock, state, payments } = world;
  const { link, reference, customer = null } = foundLink(world, id);
  const opened = state.payments.by('reference', reference);
  if (opened !== undefined) return opened;
  const expiresAtMs = Date.parse(link.expiresAt ?? '');
  if (expiresAtMs <= clock.now()) {
    throw new SandboxError('checkout_link_expired', 'The checkout link has expired; create another one.');
  }
  const { amount, callbackUrl = null, returnUrl = null } = link;
  const payment = newPayment(world, {
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
  return payments.put({ ...payment, expiresAtMs });
}
