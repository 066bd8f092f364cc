import type { CheckoutLink } from '../../../client/api/checkout-link.ts';
import { NoInput } from '../input/fields.ts';
import { isOpened } from '../records/payment.ts';
import { type ControlPayment, toControlPayment } from '../records/payment-views.ts';
import { openLink } from '../world/checkout-links.ts';
import type { ControlCallsOf } from './control-call.ts';

/** A checkout link in a control call. Amounts are in minor units. */
export type ControlCheckoutLink = CheckoutLink & {
  /** Whether somebody has opened the link, so that its payment has an account. */
  isOpened: boolean;
};

export type CheckoutLinksControl = {
  /** Lists every checkout link, newest first. */
  listCheckoutLinks: () => readonly ControlCheckoutLink[];
  /**
   * Opens the page of a link as a shopper does, which creates the payment. Later calls return the same payment.
   *
   * Refuses with `checkout_link_not_found`, `checkout_link_expired`.
   */
  openCheckoutLink: (id: string) => ControlPayment;
};

export const checkoutLinkCalls: ControlCallsOf<CheckoutLinksControl> = {
  listCheckoutLinks: {
    run: ({ state }) =>
      state.checkoutLinks.list().map(({ link, reference }) => {
        const payment = state.payments.by('reference', reference);
        return { ...link, isOpened: payment !== undefined && isOpened(payment) };
      }),
  },
  openCheckoutLink: {
    request: NoInput,
    run: (world, id) => toControlPayment(openLink(world, id), world.clock.now()),
  },
};
