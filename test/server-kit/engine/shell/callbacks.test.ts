import { describe, expect, it, vi } from 'vitest';
import { createCallback } from '../../../../server-kit/tools/testing/index.ts';
import { callbackUrl, createNotifiedShop } from '../../kit/notified-shop.ts';
import { storedPayment } from '../../kit/payment-facts.ts';
import { down, hanging } from '../../kit/wire-faults.ts';
import { createWiredShop, shopUrl } from '../../kit/wired-shop.ts';

const hourMs = 3_600_000;

async function openedShop(options: Parameters<typeof createNotifiedShop>[0] = {}) {
  const shop = createNotifiedShop({ onExpired: undefined, ...options });
  const session = await shop.open();
  const [{ id = '' } = {}] = shop.accounts();
  shop.wire.calls.length = 0;
  return { ...shop, session, id, named: { reference: session.reference } };
}
type Shop = Awaited<ReturnType<typeof openedShop>>;

describe('a signed callback', () => {
  const account = { accountNumber: '9990000018', bankName: 'Bank', status: 'active' };
  it.each([
    ['payment', { reference: 'r', expectedAmount: 1, chargedAmount: 1 }],
    ['payment', { reference: 'r', paymentMethod: 'card' }],
    ['payout', { reference: 'r', amount: 1, destinationAccountNumber: '1' }],
    ['payout', { reference: 'r', requiresConfirmation: false }],
    ['invoice', { reference: 'r', amountDue: 0 }],
    ['dedicated_account', { accountRequestCode: 'c' }],
    ['dedicated_account', account],
    ['unknown', { reference: 'r', ...account }],
    ['unknown', { reference: 'r', status: 'succeeded' }],
    ['unknown', { reference: 'r', expectedAmount: null }],
  ])('is logged as a %s by its fields: %j', async (kind, data) => {
    const shop = await openedShop();
    await shop.callBack(data);
    expect(shop.events()).toEqual([expect.stringMatching(new RegExp(` ${kind}$`))]);
  });

  it.each<[string, object | ((shop: Shop) => object), string, string[]]>([
    ['a payment', ({ named }) => ({ ...named, expectedAmount: 1 }), 'verify', ['verify']],
    ['its id alone', ({ id }) => ({ id, expectedAmount: 1 }), 'verify', ['id', 'verify']],
    ['an unknown record with its reference', ({ named }) => named, 'verify', ['verify']],
    ['an unknown record with its id', ({ id }) => ({ id }), 'verify', ['id', 'verify']],
    ['the id of nothing', { id: 'inv_1' }, 'ignored', ['id']],
    ['an id that is not a name', { id: '..', status: 'open' }, 'ignored', []],
    ['an empty id', { id: '', status: 'open' }, 'ignored', []],
    ['nothing', { status: 'succeeded' }, 'ignored', []],
    ['a name that no database takes', { reference: 'a\0b', expectedAmount: 1 }, 'ignored', []],
    ['a payout of its reference', ({ named }) => ({ ...named, destinationBankId: '1' }), 'ignored', []],
    ['a payment without an order', { reference: 'by-hand', expectedAmount: 1 }, 'unknown', []],
  ])('is acknowledged, and logged as $2, when it names %s', async (_what, data, action, expected) => {
    const shop = await openedShop();
    expect((await shop.callBack(typeof data === 'function' ? data(shop) : data)).status).toBe(204);
    expect(shop.events()).toEqual([expect.stringMatching(new RegExp(`^${action} `))]);
    const calls = shop.wire.calls.map((path) => (path.endsWith('/verify') ? 'verify' : 'id'));
    expect([calls, shop.errors]).toEqual([expected, []]);
  });

  it('is accepted after the shop has moved, and not for another address', async () => {
    const before = await openedShop();
    const options = { store: before.store, publicUrl: 'https://moved.example' };
    const moved = createNotifiedShop(options, {}, before);
    const data = { reference: before.session.reference, expectedAmount: 1 };
    expect((await moved.callBack(data, { url: callbackUrl })).status).toBe(204);
    expect((await moved.callBack(data, { url: `${shopUrl}/other` })).status).toBe(401);
    expect(moved.verifications()).toEqual([data.reference]);
  });
});

describe('a callback about a payment of no order', () => {
  const data = { reference: 'by-hand', status: 'succeeded', expectedAmount: 1 };

  it('is acknowledged once the merchant has taken it, and not before', async () => {
    const onUnknownPayment = vi.fn().mockRejectedValueOnce(new Error('the ledger is away'));
    const { callBack, checkout, log, notified } = await openedShop({ onUnknownPayment });
    expect([(await callBack(data)).status, (await callBack(data)).status]).toEqual([500, 204]);
    expect(onUnknownPayment.mock.calls).toMatchObject([[{ reference: 'by-hand', data }], [{ data }]]);
    const failure = { code: 'internal_error', error: { cause: { message: 'the ledger is away' } } };
    expect(log.filter(({ level }) => level !== 'info')).toMatchObject([failure]);
    expect([notified, (await checkout.status()).unknownPayments]).toEqual([[], []]);
  });

  it('is logged and listed where nobody takes it, the last twenty', async () => {
    const { callBack, checkout, log, store } = await openedShop();
    for (let number = 1; number <= 21; number++)
      await callBack({ reference: `other-${number}`, expectedAmount: 1 });
    expect((await callBack({ ...data, reference: 'other-2' })).status).toBe(204);
    const { unknownPayments } = await checkout.status();
    expect(unknownPayments).toHaveLength(20);
    expect([unknownPayments[0], unknownPayments.at(-1)]).toEqual(['other-3', 'other-2']);
    const warnings = log.filter(({ type }) => type === 'unknownPayment');
    expect([warnings.length, warnings[0]]).toMatchObject([21, { level: 'warn', reference: 'other-1' }]);
    expect(await store.find({ reference: 'other-2' })).toMatchObject({ record: null });
  });
});

describe('an old callback', () => {
  /** A shop, and a callback that the service signed an hour ago. */
  async function shopWithOldCallback(options: Parameters<typeof createNotifiedShop>[0] = {}) {
    const shop = await openedShop(options);
    shop.loseCallbacks();
    const data = { reference: shop.session.reference, expectedAmount: 1 };
    const captured = await createCallback({ callbackUrl, data, signedAtMs: shop.clock.now() });
    shop.clock.advance(hourMs);
    const replay = async () => (await shop.checkout.handler(captured.clone())).status;
    return { ...shop, replay };
  }

  it('is refused if the service’s clock agrees with ours, and costs one verification at a time', async () => {
    const { replay, verifications, log, wire, session } = await shopWithOldCallback();
    expect(await replay()).toBe(401);
    expect(verifications()).toEqual([session.reference]);
    const entry = { level: 'warn', type: 'callbackRefused', reason: 'timestamp_out_of_tolerance' };
    expect(log).toContainEqual(entry);
    expect(await Promise.all(Array.from({ length: 20 }, replay))).toEqual(Array(20).fill(401));
    expect(wire.most.get(`/v1/payments/${session.reference}/verify`)).toBe(1);
  });

  it('is refused while the service is down, and before its sender gives up if it does not respond', async () => {
    const { replay, during, errors, clock } = await shopWithOldCallback();
    expect(await during(down, replay)).toBe(401);
    expect(errors).toMatchObject([{ code: 'service_unavailable' }]);
    const status = during(hanging, replay);
    await clock.untilWaiting(4000);
    clock.advance(4000);
    expect(await status).toBe(401);
  });
});

describe('a callback', () => {
  it('is not evidence: what it says about money is ignored', async () => {
    const { open, notified, callBack, store } = createNotifiedShop();
    const { reference } = await open();
    const claim = { reference, status: 'succeeded', chargedAmount: 1_250_000, expectedAmount: 1_250_000 };
    expect((await callBack(claim)).status).toBe(204);
    expect(notified).toEqual([]);
    expect(await storedPayment(store, reference)).toMatchObject({ outcome: 'pending' });
  });

  it('makes one call for an id alone, because the service sends it again', async () => {
    const { callBack, wire } = createNotifiedShop();
    wire.intercept = down;
    expect((await callBack({ id: 'pay_1', expectedAmount: 1 })).status).toBe(503);
    expect(wire.calls).toEqual(['/v1/payments/pay_1']);
  });

  it('goes to the address that the options say, whatever Host a browser names', async () => {
    const { checkout, sandbox } = createWiredShop({ basePath: '/shop/pay/' });
    const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    await checkout.handler(new Request('https://evil.example/checkout/sessions', body));
    expect(sandbox.control.listPayments()).toMatchObject([
      { callbackUrl: 'https://shop.example/shop/pay/callbacks' },
    ]);
  });
});

describe('a callback that the service has not signed', () => {
  it.each([
    ['a wrong signature', { 'request-signature': 'ab'.repeat(64) }],
    ['no signature', { 'request-signature': '' }],
    ['an old timestamp', { 'request-timestamp': '1600000000' }],
  ])('gets 401 with %s, and nothing is looked up', async (_name, headers) => {
    const { open, callBack, wire, events } = createNotifiedShop();
    const { reference } = await open();
    wire.calls.length = 0;
    const response = await callBack({ reference, expectedAmount: 1 }, { headers });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Request-Signature']);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ code: 'callback_unauthorized' });
    expect([wire.calls, events()]).toEqual([[], []]);
  });

  it.each([
    ...['', '{', '[]', '{"data":1}', '{"data":{},"data":{}}'].map(
      (body) => [401, 'POST', body, null] as const,
    ),
    [413, 'POST', 'x'.repeat(65_537), null],
    [405, 'GET', null, 'POST'],
  ] as const)('gets %i for %s $2', async (status, method, body, allow) => {
    const { checkout } = createNotifiedShop();
    const headers = { 'request-signature': 'ab'.repeat(64), 'request-timestamp': '1772366400' };
    const response = await checkout.handler(new Request(callbackUrl, { method, headers, body }));
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
  });
});
