import { CheckoutError } from '../../../src/contract/index.ts';
import type { PaymentsClient } from '../../core/client.ts';
import { isShown, type Opened, type Order } from '../order/record.ts';
import type { Store } from '../store.ts';

export type LiveMode = ReturnType<typeof createLiveMode>;

const forgets = 'the store forgets its payments when the process ends; use a store on a database';

const isOpenToAll = 'because anybody on the way could change the account to pay into';

/** A link's mode may be an assumption until its payment is known. */
const isLive = ({ opened }: { opened: Opened }): boolean =>
  opened.liveMode && !(opened.kind === 'link' && opened.isModeAssumed && opened.paymentId === null);

type Checked = { client: PaymentsClient; store: Store; publicUrl: URL };

/**
 * Creates the checks that refuse live payments in a volatile store or on http pages, and payments of the other mode. A lost record means
 * untracked money, so a volatile store is accepted only if the client has test keys, or talks to a service that cannot be a live one.
 *
 * @throws {CheckoutError} `invalid_options` if the payments may be live, and the store is volatile; if they are, and `publicUrl` is http
 */
export function createLiveMode({ client, store, publicUrl }: Checked) {
  if (store.isVolatile && client.canBeLive) {
    const hint = 'pass liveMode: false to createPaymentsClient where its keys are of test mode';
    throw new CheckoutError('invalid_options', `store: ${forgets}; or ${hint}.`);
  }
  const isHttp = publicUrl.protocol === 'http:';
  if (isHttp && client.liveMode)
    throw new CheckoutError(
      'invalid_options',
      `publicUrl: must be an https address in live mode, ${isOpenToAll}.`,
    );
  const http = `publicUrl is an http address: set it to the https address of the shop, ${isOpenToAll}`;
  const fault = store.isVolatile ? forgets : isHttp ? http : undefined;
  let wasLive = false;
  return {
    /**
     * Checks the mode of a payment that the service has created, or without one, whether another payment may be created. A refused
     * payment is never shown; once the fault is mended, the order gets another one.
     *
     * @throws {CheckoutError} `invalid_options` after a response in live mode, with a volatile store or an http `publicUrl`
     */
    check(opened?: Opened): void {
      wasLive ||= opened !== undefined && isLive({ opened });
      if (wasLive && fault !== undefined)
        throw new CheckoutError('invalid_options', `The service is in live mode, and ${fault}.`);
    },
    /**
     * Checks an order before it is shown.
     *
     * @throws {CheckoutError} `invalid_options` for a payment of another mode than the client's `liveMode`
     */
    checkOrder({ orderId, payments: made }: Order): void {
      const { liveMode } = client;
      const shown = made.filter(isShown);
      wasLive ||= shown.some(isLive);
      if (liveMode === undefined) return;
      const other = shown.find(({ opened }) => opened.liveMode !== liveMode);
      if (other === undefined) return;
      const modeOf = (isLive: boolean) => (isLive ? 'live' : 'test');
      const message = `Payment ${other.reference} of order ${orderId} was made in ${modeOf(!liveMode)} mode, and createPaymentsClient has liveMode: ${liveMode}; check apiKey and apiSecret, and give each mode a store of its own.`;
      throw new CheckoutError('invalid_options', message);
    },
  };
}
