import { describe, expect, it } from 'vitest';
import { createPaymentsClient } from '../../../../server-kit/core/client.ts';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import { changing, codeOf } from '../../kit/wire-faults.ts';
import { createWiredShop, order } from '../../kit/wired-shop.ts';
import { naming } from './naming.ts';

const clientAt = (baseUrl: string, liveMode?: boolean) =>
  createPaymentsClient({ baseUrl, apiSecret: 'sk_1', liveMode });
const durable = () => ({ ...createMemoryStore(), isVolatile: false });

it.each([
  ['https://api.payments.ng', undefined, true],
  ['https://10.0.0.7', undefined, true],
  ['https://localhost.payments.ng', undefined, true],
  ['https://service.example', true, true],
  ['https://localhost:4242', true, true],
  ['https://api.payments.ng', false, false],
  ['https://service.example', undefined, false],
  ['http://127.0.0.1:4242/service', undefined, false],
  ['http://[::1]:4242', undefined, false],
  ['https://payments.test', undefined, false],
  ['http://10.0.0.7', undefined, false],
])('a volatile store for %s with liveMode %s is refused: %s', (baseUrl, liveMode, isRefused) => {
  const client = clientAt(baseUrl, liveMode);
  const message = expect.stringMatching(/^store: .*liveMode: false/);
  const refusal = expect.objectContaining({ code: 'invalid_options', message });
  const create = () => createWiredShop({ client });
  if (isRefused) expect(create).toThrow(refusal);
  else expect(create).not.toThrow();
  expect(() => createWiredShop({ client, store: durable() })).not.toThrow();
});

describe('an http publicUrl', () => {
  const publicUrl = 'http://shop.example';
  const live = { client: clientAt('https://service.example', true), store: durable() };

  it.each([publicUrl, 'http://localhost:3000'])('is refused in live mode: %s', (url) => {
    const message = expect.stringMatching(/^publicUrl: must be an https address in live mode/);
    const refusal = expect.objectContaining({ code: 'invalid_options', message });
    expect(() => createWiredShop({ ...live, publicUrl: url })).toThrow(refusal);
    expect(() => createWiredShop({ ...live, publicUrl: url.replace('http:', 'https:') })).not.toThrow();
  });

  it.each([false, undefined])('is taken with liveMode %s', (liveMode) => {
    const client = clientAt('https://api.payments.ng', liveMode);
    expect(() => createWiredShop({ client, store: durable(), publicUrl })).not.toThrow();
  });
});

const http = { publicUrl: 'http://shop.example', store: durable() };
it.each<[string, Parameters<typeof createWiredShop>[0], RegExp]>([
  ['a volatile store', {}, /use a store on a database/],
  ['an http publicUrl', http, /live mode, and publicUrl .*https/],
])(
  'a service that turns out to be live is asked for one payment, which is not shown, with %s',
  async (_with, options, reason) => {
    const { post, wire, errors } = createWiredShop(options);
    wire.intercept = changing({ liveMode: true });
    const first = await post();
    expect([first.status, await codeOf(first.clone())]).toEqual([500, 'internal_error']);
    expect(await first.text()).not.toMatch(/accountNumber|clientSecret/);
    expect((await post()).status).toBe(500);
    expect(wire.calls).toHaveLength(1);
    const message = expect.stringMatching(reason);
    expect(errors).toMatchObject(Array(2).fill({ code: 'invalid_options', message }));
  },
);

/** A client of that service whose responses, which come from the sandbox, state this mode. */
const clientOf = (
  { sandbox, clock }: ReturnType<typeof createWiredShop>,
  service: { baseUrl: string; liveMode?: boolean },
  stated: { liveMode: boolean | null },
) =>
  createPaymentsClient({
    ...service,
    apiSecret: 'sk_test_sandbox',
    now: clock.now,
    fetch: (input, init) => changing(stated)('', () => sandbox.fetch(input, init)),
  });
const allowed = { allowSandbox: true };

it('a link of which the service states no mode counts as live once its payment is', async () => {
  const shop = createWiredShop();
  const stated = { liveMode: null as boolean | null };
  const client = clientOf(shop, { baseUrl: 'https://api.payments.ng' }, stated);
  const options = { client, store: durable(), publicUrl: 'http://shop.example', ...allowed };
  const { checkout, get } = createWiredShop(options, {}, shop);
  const link = await checkout.createLink(order);
  const openOther = (orderId: string) => checkout.createLink({ ...order, orderId });
  expect((await get(link)).status).toBe(200);
  expect(await openOther('order-2')).toMatchObject({ liveMode: true });
  shop.sandbox.control.openCheckoutLink(link.authorizationUrl.split('/').at(-1) ?? '');
  stated.liveMode = true;
  shop.clock.advance(5000);
  for (const _ of [1, 2]) expect((await get(link)).status).toBe(200);
  stated.liveMode = null;
  await expect(openOther('order-3')).rejects.toThrow(/live mode, and publicUrl/);
});

const refusal = { code: 'invalid_options', message: expect.stringMatching(/apiKey and apiSecret/) };

it('a checkout whose keys are of the other mode than was declared shows nothing that was recorded in the other mode, in a store that both have used', async () => {
  const test = createWiredShop();
  const session = await test.open();
  test.sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
  test.clock.advance(5000);
  await test.get(session);
  const client = clientAt('https://service.example', true);
  const store = { ...test.store, isVolatile: false };
  const live = createWiredShop({ store, client, ...allowed }, {}, test);
  const responses = [await live.post(), await live.post(naming(session)), await live.get(session)];
  expect(responses.map(({ status }) => status)).toEqual([500, 500, 500]);
  expect(live.errors).toMatchObject([refusal, refusal, refusal]);
});
