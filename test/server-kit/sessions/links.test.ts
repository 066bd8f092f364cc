import { describe, expect, it } from 'vitest';
import { createPaymentsClient } from '../../../server-kit/client/client.ts';
import type { PaymentLink } from '../../../server-kit/sessions/session.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { createNotifiedShop } from '../kit/notified-shop.ts';
import {
  changedOrder,
  changing,
  codeOf,
  createCart,
  down,
  onlyFor,
  readView,
  refusing,
} from '../kit/wire-faults.ts';
import { createWiredShop, order, shopUrl } from '../kit/wired-shop.ts';

const minuteMs = 60_000;

/** A shop whose page asks for a link. */
function createLinkShop(...options: Parameters<typeof createNotifiedShop>) {
  const shop = createNotifiedShop(...options);
  const postLink = (headers?: Record<string, string>) => shop.post(headers, '{}', '/checkout/links');
  const link = async (): Promise<PaymentLink> => (await postLink()).json() as Promise<PaymentLink>;
  const { control } = shop.sandbox;
  /** A shopper opens the page of the service. */
  const visit = ({ authorizationUrl }: Pick<PaymentLink, 'authorizationUrl'>) =>
    control.openCheckoutLink(authorizationUrl.split('/').at(-1) ?? '');
  /** A round of the reconciler some time later. */
  const roundAfter = async (ms: number): Promise<void> => {
    shop.clock.advance(ms);
    await shop.checkout.reconcile();
    await shop.checkout.settled();
  };
  return { ...shop, postLink, link, visit, roundAfter, links: control.listCheckoutLinks };
}

const noAccount = { number: '', name: '', bankName: '' };

describe('POST …/links', () => {
  it('gives a page of the service, and a view that no widget asks to pay by', async () => {
    const { postLink, links, sandbox } = createLinkShop();
    const response = await postLink();
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      reference: links()[0]?.reference,
      authorizationUrl: links()[0]?.authorizationUrl,
      clientSecret: expect.stringMatching(/^cs_test_/),
      account: noAccount,
      amount: order.amount,
      chargedAmount: 0,
      status: 'initiated',
      outcome: 'unclear',
      openedAt: expect.any(String),
      expiresAt: links()[0]?.expiresAt,
      liveMode: false,
    });
    expect(sandbox.control.listPayments()).toEqual([]);
  });

  it('names the addresses for callbacks and shoppers to the service', async () => {
    const { link, links } = createLinkShop();
    await link();
    expect(links()).toMatchObject([
      { callbackUrl: `${shopUrl}/checkout/callbacks`, returnUrl: `${shopUrl}/`, amount: order.amount },
    ]);
  });

  it('sends shoppers back to where the order says', async () => {
    const returnUrl = 'https://shop.example/thanks?order=1';
    const { link, links } = createLinkShop({ createPayment: () => ({ ...order, returnUrl }) });
    await link();
    expect(links()).toMatchObject([{ returnUrl }]);
  });

  it('is refused to pages of other sites, and without JSON', async () => {
    const { postLink, links } = createLinkShop();
    expect((await postLink({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await postLink({ 'content-type': 'text/plain' })).status).toBe(415);
    expect(links()).toEqual([]);
  });

  it('may be requested by pages of allowed origins', async () => {
    const origin = 'https://www.shop.example';
    const { checkout } = createWiredShop({ allowedOrigins: [origin] });
    const headers = { origin, 'access-control-request-method': 'POST' };
    const response = await checkout.handler(
      new Request(`${shopUrl}/checkout/links`, { method: 'OPTIONS', headers }),
    );
    expect([response.status, response.headers.get('access-control-allow-methods')]).toEqual([204, 'POST']);
  });

  it('counts with the sessions of its order', async () => {
    const { postLink, post } = createLinkShop({ limits: { sessionsPerOrder: { limit: 2, perSeconds: 60 } } });
    expect([(await postLink()).status, (await post()).status, (await postLink()).status]).toEqual([
      201, 200, 429,
    ]);
  });

  it('accepts only POST', async () => {
    const { checkout } = createWiredShop();
    const response = await checkout.handler(new Request(`${shopUrl}/checkout/links`));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('gives the same link again, also to two clicks at once', async () => {
    const { link, links } = createLinkShop();
    const [first, second] = await Promise.all([link(), link()]);
    expect(second).toEqual(first);
    expect(await link()).toEqual(first);
    expect(links()).toHaveLength(1);
  });

  it('is recorded before the service is asked', async () => {
    const { postLink, link, links, wire, store } = createLinkShop();
    wire.intercept = down;
    expect((await postLink()).status).toBe(503);
    const [recorded] = await store.listByOrder(order.orderId);
    expect(recorded).toMatchObject({ opened: null, outcome: 'pending' });
    wire.intercept = undefined;
    expect((await link()).reference).toBe(recorded?.reference);
    expect(links()).toHaveLength(1);
  });

  it('slows all instances down when the service responds 429', async () => {
    const { postLink, wire, log } = createLinkShop();
    wire.intercept = refusing(429, { 'retry-after': '7' });
    expect((await postLink()).status).toBe(503);
    expect(log).toContainEqual({
      level: 'warn',
      type: 'serviceLimited',
      pauseMs: 7000,
      ratePerSecond: 12.75,
    });
  });

  it('believes no link for another amount or another reference', async () => {
    for (const change of [{ amount: { value: 1, currency: 'NGN' } }, { reference: 'tc_other' }]) {
      const { postLink, wire } = createLinkShop();
      wire.intercept = changing(change);
      expect((await postLink()).status).toBe(502);
    }
  });

  it('works with a service that returns only the address of a link', async () => {
    const { link, wire, clock } = createLinkShop();
    wire.intercept = async (_path, send) => {
      const { id, reference, authorizationUrl } = (await (await send()).json()) as Record<string, string>;
      return Response.json({ id, reference, authorizationUrl });
    };
    const expiresAt = new Date(clock.now() + order.expiresInSeconds * 1000).toISOString();
    expect(await link()).toMatchObject({ expiresAt, liveMode: false });
  });
});

describe('a link that nobody has opened', () => {
  it('is no error to those who wait, nor to the log', async () => {
    const { link, get, wire, errors, roundAfter } = createLinkShop();
    const made = await link();
    const view = await readView(get(made));
    expect(view).toMatchObject({ outcome: 'unclear', authorizationUrl: made.authorizationUrl });
    await roundAfter(minuteMs + 1000);
    expect(wire.calls.filter((path) => path.endsWith('/verify')).length).toBeGreaterThan(1);
    expect(errors).toEqual([]);
  });

  it('expires at its time, is reported once, and can be replaced', async () => {
    const { link, get, notified, roundAfter, links } = createLinkShop();
    const made = await link();
    await roundAfter(29 * minuteMs);
    expect(await readView(get(made))).toMatchObject({ outcome: 'unclear' });
    await roundAfter(minuteMs + 6000);
    const view = await readView(get(made));
    expect(view).toMatchObject({ outcome: 'expired' });
    expect(view.authorizationUrl).toBeUndefined();
    await roundAfter(minuteMs);
    expect(notified).toEqual(['order-1:expired']);
    expect((await link()).reference).not.toBe(made.reference);
    expect(links()).toHaveLength(2);
  });

  it('does not expire by the wrong clock of an instance that has had no other response', async () => {
    const { link, get, clock, sandbox, store, roundAfter } = createLinkShop();
    const made = await link();
    const now = () => clock.now() + 4 * minuteMs;
    const payments = createPaymentsClient({
      ...{ baseUrl: 'https://service.example', apiSecret: 'sk_test_sandbox', fetch: sandbox.fetch, now },
    });
    const other = createWiredShop({ payments, store, now }, {}, { clock, sandbox });
    clock.advance(27 * minuteMs);
    expect(await readView(other.get(made))).toMatchObject({ outcome: 'unclear' });
    await roundAfter(3 * minuteMs + 6000);
    expect(await readView(get(made))).toMatchObject({ outcome: 'expired' });
  });

  it('is replaced when the price changes; money that still arrives on it is reported', async () => {
    const cart = createCart();
    const { link, visit, sandbox, notified, delivered } = createLinkShop({
      createPayment: cart.createPayment,
    });
    const first = await link();
    cart.change();
    expect(await link()).toMatchObject({ amount: changedOrder.amount, outcome: 'unclear' });
    const { accountNumber } = visit(first);
    sandbox.control.transfer({ accountNumber, amount: order.amount.value });
    await delivered();
    expect(notified).toEqual([`order-1:unexpectedMoney:${first.reference}`]);
  });

  it('is an error of the service where it was seen to be opened before', async () => {
    const { link, visit, get, wire, clock } = createLinkShop();
    const made = await link();
    visit(made);
    await get(made);
    clock.advance(5000);
    wire.intercept = onlyFor('verify', async () =>
      Response.json(
        { error: { type: 'invalid_request_error', code: 'x', message: '', params: [] } },
        { status: 404 },
      ),
    );
    const response = await get(made, { 'if-none-match': '"known"' });
    expect(response.status).toBe(200);
    expect(await readView(response)).toMatchObject({ outcome: 'unclear', status: 'awaiting_charge' });
  });
});

describe('a link that is opened and paid', () => {
  it('is paid as any payment is: by callback, once', async () => {
    const { link, visit, pay, delivered, get, notified, errors } = createLinkShop();
    const made = await link();
    const { accountNumber } = visit(made);
    pay(accountNumber);
    await delivered();
    const view = await readView(get(made));
    expect(view).toMatchObject({ outcome: 'paid', chargedAmount: order.amount.value, account: noAccount });
    expect(view.authorizationUrl).toBeUndefined();
    expect([notified, errors]).toEqual([['order-1:paid'], []]);
  });

  it('is found by verifications if callbacks are lost', async () => {
    const { link, visit, pay, sandbox, notified, roundAfter } = createLinkShop();
    sandbox.control.setCallbackDelivery({ drop: true });
    const { accountNumber } = visit(await link());
    pay(accountNumber);
    await roundAfter(2 * minuteMs);
    expect(notified).toEqual(['order-1:paid']);
  });

  it('is found when it was opened at the last moment, and paid after it had counted as expired', async () => {
    const { link, visit, pay, sandbox, clock, notified, delivered, roundAfter } = createLinkShop();
    sandbox.control.setCallbackDelivery({ drop: true });
    const made = await link();
    clock.advance(30 * minuteMs - 1000);
    const { accountNumber } = visit(made);
    await roundAfter(10_000);
    pay(accountNumber);
    await roundAfter(10 * minuteMs);
    await delivered();
    expect(notified).toEqual(['order-1:expired', 'order-1:paid']);
  });

  it('is confirmed under the eyes of the shopper, without a word of the account', async () => {
    const { link, visit, pay, get, clock } = createLinkShop({}, { confirmationSeconds: 60 });
    const made = await link();
    pay(visit(made).accountNumber);
    clock.advance(3000);
    expect(await readView(get(made))).toMatchObject({ status: 'charged', outcome: 'pending' });
  });

  it('keeps to the payment that it was first seen to be', async () => {
    const { link, visit, get, wire, clock, store, log } = createLinkShop();
    const made = await link();
    const { id } = visit(made);
    clock.advance(3000);
    await get(made);
    expect(await store.findByReference(made.reference)).toMatchObject({ opened: { paymentId: id } });
    clock.advance(3000);
    wire.intercept = changing({ id: 'pay_other', status: 'succeeded', chargedAmount: order.amount.value });
    expect(await readView(get(made))).toMatchObject({ outcome: 'unclear' });
    expect(log.find(({ type }) => type === 'responseIgnored')).toMatchObject({ reason: 'otherPayment' });
  });

  it('is the one that two responses name, also where the first response was wrong', async () => {
    const { link, visit, get, wire, clock } = createLinkShop();
    const made = await link();
    visit(made);
    wire.intercept = changing({ id: 'pay_other' });
    clock.advance(3000);
    await get(made);
    wire.intercept = changing({ status: 'succeeded', chargedAmount: order.amount.value });
    clock.advance(3000);
    expect(await readView(get(made))).toMatchObject({ outcome: 'unclear' });
    clock.advance(3000);
    expect(await readView(get(made))).toMatchObject({ outcome: 'paid' });
  });

  it('is not believed in another currency, or in live mode', async () => {
    for (const change of [{ currency: 'USD' }, { liveMode: true }]) {
      const { link, visit, get, wire, clock } = createLinkShop();
      const made = await link();
      visit(made);
      clock.advance(3000);
      wire.intercept = changing({ ...change, status: 'succeeded', chargedAmount: order.amount.value });
      expect(await readView(get(made)), JSON.stringify(change)).toMatchObject({ outcome: 'unclear' });
    }
  });
});

describe('an order that has a payment of the other kind', () => {
  it('keeps its account: the shopper is sent to the page that shows it', async () => {
    const returnUrl = 'https://shop.example/pay';
    const { open, link, links } = createLinkShop({ createPayment: () => ({ ...order, returnUrl }) });
    const session = await open();
    const { reference, account, clientSecret } = session;
    expect(await link()).toMatchObject({ reference, account, clientSecret, authorizationUrl: returnUrl });
    expect(links()).toEqual([]);
  });

  it('keeps its link: the page that asks for an account gets that', async () => {
    const { open, link, sandbox } = createLinkShop();
    const made = await link();
    expect(await open()).toEqual(made);
    expect(sandbox.control.listPayments()).toEqual([]);
  });

  it('has one payment, also if both are requested at once', async () => {
    const { open, link, links, sandbox } = createLinkShop();
    const [session, made] = await Promise.all([open(), link()]);
    expect(made.reference).toBe(session.reference);
    expect(links().length + sandbox.control.listPayments().length).toBe(1);
  });

  it('shows that it is paid, and by which payment', async () => {
    const { open, link, pay, delivered } = createLinkShop();
    const session = await open();
    pay(session.account.number);
    await delivered();
    expect(await link()).toMatchObject({
      reference: session.reference,
      outcome: 'paid',
      authorizationUrl: `${shopUrl}/`,
    });
  });
});

describe('checkout.createLink', () => {
  it('gives the merchant’s own code the same', async () => {
    const { checkout, link } = createLinkShop();
    const made = await checkout.createLink(order);
    expect(await link()).toEqual(made);
  });

  it('refuses an address to come back to that no browser should follow', async () => {
    const { checkout } = createLinkShop();
    await expect(checkout.createLink({ ...order, returnUrl: 'javascript:alert(1)' })).rejects.toThrow(
      /createLink.*returnUrl/,
    );
  });
});

describe('a link whose mode the service does not report', () => {
  const silent: Parameters<typeof changing>[0] = { liveMode: null };

  it('counts as live until its payment says otherwise, and its secret stays valid', async () => {
    const store = createMemoryStore();
    const shop = createWiredShop();
    const payments = createPaymentsClient({
      ...{ baseUrl: 'https://api.payments-of-another.com', apiSecret: 'sk_test_sandbox' },
      now: shop.clock.now,
      fetch: async (input, init) => {
        const response = await shop.sandbox.fetch(String(input), init);
        return String(input).endsWith('/checkout') ? changing(silent)('', async () => response) : response;
      },
    });
    const options = { payments, store, allowVolatileStore: true, allowSandbox: true };
    const { checkout, get, clock } = createWiredShop(options, {}, shop);
    const made = await checkout.createLink(order);
    expect(made).toMatchObject({ liveMode: true, clientSecret: expect.stringMatching(/^cs_live_/) });
    shop.sandbox.control.openCheckoutLink(made.authorizationUrl.split('/').at(-1) ?? '');
    clock.advance(3000);
    const response = await get(made);
    expect(response.status).toBe(200);
    expect(await readView(response)).toMatchObject({ liveMode: false, status: 'awaiting_charge' });
  });
});

describe('a link that the service has called live', () => {
  it('is not paid by a test', async () => {
    const { checkout, wire, get, sandbox, clock } = createWiredShop({ allowVolatileStore: true });
    wire.intercept = changing({ liveMode: true });
    const made = await checkout.createLink(order);
    wire.intercept = undefined;
    sandbox.control.openCheckoutLink(made.authorizationUrl.split('/').at(-1) ?? '');
    clock.advance(3000);
    expect(await readView(get(made))).toMatchObject({ liveMode: true, status: 'initiated' });
  });
});

describe('the session of a link', () => {
  it('is read with its own secret only', async () => {
    const { link, get } = createLinkShop();
    const { reference } = await link();
    const response = await get({ reference, clientSecret: 'cs_test_1_0' });
    expect([response.status, await codeOf(response)]).toEqual([401, 'session_unauthorized']);
  });
});
