import { CheckoutError } from '../../../src/contract/index.ts';
import type { PaymentsClient } from '../../client/client.ts';
import { isShown, type Order } from '../order/order.ts';
import type { Store } from '../ports/store.ts';

export type LiveModeOptions = {
  payments: PaymentsClient;
  store: Store;
  allowVolatileStore: boolean;
};

export type LiveMode = ReturnType<typeof createLiveMode>;

const forgets =
  'the store forgets its payments when the process ends; use a store on a database, or pass allowVolatileStore';

/**
 * Creates the checks that refuse live payments in a volatile store, and payments of the other mode. A lost record means untracked money,
 * so a volatile store is accepted only if the client has test keys, or talks to a service that cannot be a live one.
 *
 * @throws {CheckoutError} `invalid_options` if the payments may be live
 */
export function createLiveMode({ payments, store, allowVolatileStore }: LiveModeOptions) {
  const isRefused = store.isVolatile && !allowVolatileStore;
  if (isRefused && payments.canBeLive) {
    const hint = 'pass liveMode: false to createPaymentsClient where its keys are of test mode';
    throw new CheckoutError('invalid_options', `store: ${forgets}; or ${hint}.`);
  }
  let wasLive = false;
  return {
    /**
     * Checks the mode that the service has responded with, or without one, whether another payment may be created. A refused payment is
     * never shown.
     *
     * @throws {CheckoutError} `invalid_options` after a response in live mode, with a volatile store
     */
    check(liveMode = false): void {
      wasLive ||= isRefused && liveMode;
      if (wasLive) throw new CheckoutError('invalid_options', `The service is in live mode, and ${forgets}.`);
    },
    /**
     * Checks an order before it is shown.
     *
     * @throws {CheckoutError} `invalid_options` for a payment of another mode than the client's `liveMode`
     */
    checkOrder({ orderId, payments: made }: Order): void {
      const { liveMode } = payments;
      if (liveMode === undefined) return;
      const other = made.filter(isShown).find(({ opened }) => opened.liveMode !== liveMode);
      if (other === undefined) return;
      const modeOf = (isLive: boolean) => (isLive ? 'live' : 'test');
      const message = `Payment ${other.reference} of order ${orderId} was made in ${modeOf(!liveMode)} mode, and createPaymentsClient has liveMode: ${liveMode}; check apiKey and apiSecret, and give each mode a store of its own.`;
      throw new CheckoutError('invalid_options', message);
    },
  };
}
