import { get } from 'node:http';
import type { Session } from 'transfer-checkout/server-kit';
import type { MountedShop } from './mounted-shop.ts';

type Conditions = {
  /** The ETag that the browser has; without it, the response is not held. */
  etag?: string;
  /** The longest hold. Default: 25, the maximum. */
  waitSeconds?: number;
};

const headersFor = ({ clientSecret }: Session, { etag, waitSeconds = 25 }: Conditions) => ({
  'checkout-secret': clientSecret,
  ...(etag !== undefined && { 'if-none-match': etag, prefer: `wait=${waitSeconds}` }),
});

/** The requests of browsers, the service and the merchant's operator to a shop. */
export function callsOf({ url, sandbox, runtime }: MountedShop) {
  const post = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/checkout${path}`, { method: 'POST', ...init });
  const postSession = (cookie: string, body = '{}') =>
    post('/sessions', { body, headers: { cookie, 'content-type': 'application/json' } });
  const addressOf = ({ reference }: Session) => `${url}/checkout/sessions/${reference}`;
  const getSession = (session: Session, conditions: Conditions = {}) =>
    fetch(addressOf(session), { headers: headersFor(session, conditions) });

  /** Buys, which freezes an order and names it in a cookie. */
  const newOrder = async () => {
    const response = await fetch(`${url}/orders`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: url },
    });
    const [cookie = ''] = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    return { cookie, orderId: cookie.replace('order=', '') };
  };

  return {
    post,
    postSession,
    getSession,
    newOrder,
    async newSession() {
      const { cookie, orderId } = await newOrder();
      return { orderId, session: (await (await postSession(cookie)).json()) as Session };
    },
    etagNow: async (session: Session) => (await getSession(session)).headers.get('etag') ?? '',
    /** Sends a request that is held. Returns a function that disconnects before the response. */
    holdThenDisconnect(session: Session, etag: string, how: 'close' | 'reset'): () => void {
      const request = get(addressOf(session), { headers: headersFor(session, { etag }), agent: false });
      request.on('error', () => {});
      return () => void (how === 'close' ? request.destroy() : request.socket?.resetAndDestroy());
    },
    pay: ({ account, amount }: Session) =>
      sandbox.control.transfer({ accountNumber: account.number, amount: amount.value }),
    /** The number of verifications of this payment at the service. */
    countVerifications: ({ reference }: Session) =>
      sandbox.control
        .listRequests()
        .filter(({ operation, path }) => operation === 'payments.verify' && path.includes(reference)).length,
    callbacksOf: ({ reference }: Session) =>
      sandbox.control.listCallbacks().filter((callback) => callback.reference === reference),
    /** How often `onPaid` was called for this order. */
    countPaidReports: (orderId: string) => runtime.output().split(`Order ${orderId} is paid:`).length - 1,
  };
}
