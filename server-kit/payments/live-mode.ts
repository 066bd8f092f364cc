import { CheckoutError } from '../../src/contract/index.ts';
import type { PaymentsClient } from '../client/client.ts';
import type { PaymentRecord, Store } from '../stores/store.ts';

export type LiveModeOptions = {
  payments: PaymentsClient;
  store: Store;
  allowVolatileStore: boolean;
};

/** Refuses payments that would be forgotten, and payments of the other mode. */
export type LiveMode = {
  /**
   * Called before the service is asked to make a payment.
   *
   * @throws {CheckoutError} `invalid_options` once the service has answered in live mode
   */
  refuse: () => void;
  /**
   * Called with what the service has made. The payment is shown to nobody, so that no money can be on it.
   *
   * @throws {CheckoutError} `invalid_options` for a live payment and a store that forgets
   */
  check: (liveMode: boolean) => void;
  /**
   * Called with what is recorded, before it is shown.
   *
   * @throws {CheckoutError} `invalid_options` for a payment of another mode than the client's `liveMode`
   */
  checkRecords: (records: readonly PaymentRecord[]) => void;
};

const forgets =
  'the store forgets its payments when the process ends; use a store on a database, or pass allowVolatileStore';

/**
 * A payment that is forgotten is a shopper's money that nobody looks for. So a store that forgets is taken where the
 * client says that its keys are of test mode, or talks to a service that can be no live one; before anything is made.
 *
 * @throws {CheckoutError} `invalid_options` where the payments may be live
 */
export function createLiveMode({ payments, store, allowVolatileStore }: LiveModeOptions): LiveMode {
  const isRefused = store.isVolatile && !allowVolatileStore;
  if (isRefused && payments.canBeLive) {
    const hint = 'pass liveMode: false to createPaymentsClient where its keys are of test mode';
    throw new CheckoutError('invalid_options', `store: ${forgets}; or ${hint}.`);
  }
  let wasLive = false;
  const refuse = (): void => {
    if (wasLive) throw new CheckoutError('invalid_options', `The service is in live mode, and ${forgets}.`);
  };
  return {
    refuse,
    check(liveMode) {
      wasLive ||= isRefused && liveMode;
      refuse();
    },
    checkRecords(records) {
      const { liveMode } = payments;
      if (liveMode === undefined) return;
      const other = records.find(({ opened }) => opened != null && opened.liveMode !== liveMode);
      if (other === undefined) return;
      const modeOf = (isLive: boolean) => (isLive ? 'live' : 'test');
      const message = `Payment ${other.reference} of order ${other.orderId} was made in ${modeOf(!liveMode)} mode, and createPaymentsClient has liveMode: ${liveMode}; check apiKey and apiSecret, and give each mode a store of its own.`;
      throw new CheckoutError('invalid_options', message);
    },
  };
}
