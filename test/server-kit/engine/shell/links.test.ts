import { describe, expect, it } from 'vitest';
import { createPaymentsClient } from '../../../../server-kit/core/client.ts';
import type { PaymentLink } from '../../../../server-kit/engine/shell/session.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { readView } from '../../kit/wire-faults.ts';
import { createWiredShop, order, shopUrl } from '../../kit/wired-shop.ts';

const minuteMs = 60_000;
const noAccount = { number: '', name: '', bankName: '' };

function createLinkShop(...options: Parameters<typeof createNotifiedShop>) {
  const shop = createNotifiedShop(...options);
  const postLink = (headers?: Record<string, string>) => shop.post(headers, '{}', '/checkout/links');
  const link = async (): Promise<PaymentLink> => (await postLink()).json() as Promise<PaymentLink>;
  return { ...shop, postLink, link, links: shop.sandbox.control.listCheckoutLinks };
}

describe('POST …/links', () => {
  it.each([undefined, 'https://shop.example/thanks?order=1'])(
    'gives a page that returns to %s, and a view that asks for no payment',
    async (returnUrl) => {
      const { postLink, links, accounts } = createLinkShop({ getOrder: () => ({ ...order, returnUrl }) });
      const response = await postLink();
      expect(response.status).toBe(201);
      const [{ reference, authorizationUrl, expiresAt } = {}] = links();
      expect(await response.json()).toEqual({
        reference,
        authorizationUrl,
        expiresAt,
        account: noAccount,
        amount: order.amount,
        chargedAmount: 0,
        status: 'initiated',
        outcome: 'unclear',
        liveMode: false,
        clientSecret: expect.stringMatching(/^cs_test_/),
        openedAt: expect.any(String),
      });
      const callbackUrl = `${shopUrl}/checkout/callbacks`;
      const sent = { callbackUrl, returnUrl: returnUrl ?? `${shopUrl}/`, amount: order.amount };
      expect([links(), accounts()]).toMatchObject([[sent], []]);
    },
  );

  it('gives the same link again, also to two clicks at once, and as createLink does', async () => {
    const { link, links, checkout } = createLinkShop();
    const [first, second] = await Promise.all([link(), link()]);
    expect([second, await link(), await checkout.createLink(order)]).toEqual([first, first, first]);
    expect(links()).toHaveLength(1);
  });
});

describe('a link that nobody has opened', () => {
  it('is polled without an error, expires on time, is reported once, and can be replaced', async () => {
    const { link, viewAfter, roundAfter, notified, links, errors, verifications } = createLinkShop();
    const made = await link();
    const { reference, authorizationUrl } = made;
    expect(await viewAfter(29 * minuteMs, made)).toMatchObject({ outcome: 'unclear', authorizationUrl });
    const view = await viewAfter(minuteMs + 6000, made);
    expect(view).toMatchObject({ outcome: 'expired' });
    expect(view.authorizationUrl).toBeUndefined();
    await roundAfter(minuteMs);
    expect([notified, errors]).toEqual([['order-1:expired'], []]);
    expect(verifications().length).toBeGreaterThan(1);
    expect((await link()).reference).not.toBe(reference);
    expect(links()).toHaveLength(2);
  });

  // The minutes by which the Date of each response is ahead, and the store's clock; ours is four minutes ahead.
  it.each([
    ['the store', [60, 60], 0],
    ['the response', [0], 4],
    ['the response before it', [0, 60], 4],
  ])('does not expire by wrong clocks while one is right: that of %s', async (_whose, dates, storeAhead) => {
    const shop = createLinkShop();
    const { clock, sandbox } = shop;
    let ahead = 0;
    const made = await shop.link();
    const now = () => clock.now() + 4 * minuteMs;
    const client = createPaymentsClient({
      baseUrl: 'https://service.example',
      apiSecret: 'sk_test_sandbox',
      async fetch(input, init) {
        const response = await sandbox.fetch(String(input), init);
        response.headers.set('date', new Date(clock.now() + ahead * minuteMs).toUTCString());
        return response;
      },
      now,
    });
    const find: typeof shop.store.find = async (by) => {
      const found = await shop.store.find(by);
      return { ...found, storeNow: found.storeNow + storeAhead * minuteMs };
    };
    const other = createWiredShop({ client, store: { ...shop.store, find }, testing: { now } }, {}, shop);
    clock.advance(27 * minuteMs);
    for (ahead of dates) {
      clock.advance(5000);
      expect(await readView(other.get(made))).toMatchObject({ outcome: 'unclear' });
    }
    expect(await shop.viewAfter(3 * minuteMs + 6000, made)).toMatchObject({ outcome: 'expired' });
  });
});

it('an order that has a payment of the other kind keeps its account, and shows that it is paid: the shopper is sent to the page of the shop', async () => {
  const returnUrl = 'https://shop.example/pay';
  const shop = createLinkShop({ getOrder: () => ({ ...order, returnUrl }) });
  const { open, link, links, pay, delivered, checkout } = shop;
  const { reference, account, clientSecret } = await open();
  const kept = { reference, account, clientSecret, authorizationUrl: returnUrl };
  expect(await link()).toMatchObject(kept);
  expect(await checkout.createLink({ ...order, returnUrl })).toMatchObject(kept);
  expect(await checkout.createLink(order)).toMatchObject({ ...kept, authorizationUrl: `${shopUrl}/` });
  pay(account.number);
  await delivered();
  expect(await link()).toMatchObject({ ...kept, outcome: 'paid' });
  expect(links()).toEqual([]);
});
