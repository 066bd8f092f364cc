import { describe, expect, it } from 'vitest';
import { createPaymentsClient } from '../../../../server-kit/core/client.ts';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import { changing, codeOf } from '../../kit/wire-faults.ts';
import { createWiredShop, order } from '../../kit/wired-shop.ts';
import { naming } from './naming.ts';

const clientAt = (baseUrl: string, liveMode?: boolean) =>
  createPaymentsClient({ baseUrl, apiSecret: 'sk_1', liveMode });
const durable = () => ({ ...createMemoryStore(), isVolatile: false });

describe('a volatile store', () => {
  it.each([
    ['https://api.payments.ng', undefined],
    ['https://10.0.0.7', undefined],
    ['https://localhost.payments.ng', undefined],
    ['https://service.example', true],
    ['https://localhost:4242', true],
  ])('is refused for %s with liveMode %s', (baseUrl, liveMode) => {
    const client = clientAt(baseUrl, liveMode);
    const message = expect.stringMatching(/^store: .*liveMode: false/);
    const refusal = expect.objectContaining({ code: 'invalid_options', message });
    expect(() => createWiredShop({ client })).toThrow(refusal);
    expect(() => createWiredShop({ client, store: durable() })).not.toThrow();
  });

  it.each([
    ['https://api.payments.ng', false],
    ['https://service.example', undefined],
    ['http://127.0.0.1:4242/service', undefined],
    ['http://[::1]:4242', undefined],
    ['https://payments.test', undefined],
    ['http://10.0.0.7', undefined],
  ])('is taken for %s with liveMode %s', (baseUrl, liveMode) => {
    expect(() => createWiredShop({ client: clientAt(baseUrl, liveMode) })).not.toThrow();
  });

  it('requests one payment from a service that turns out to be live, does not show it, and requests no other', async () => {
    const { post, wire, errors } = createWiredShop();
    wire.intercept = changing({ liveMode: true });
    const first = await post();
    expect([first.status, await codeOf(first.clone())]).toEqual([500, 'internal_error']);
    expect(await first.text()).not.toMatch(/accountNumber|clientSecret/);
    const calls = wire.calls.length;
    expect((await post()).status).toBe(500);
    expect(wire.calls.length).toBe(calls);
    const message = expect.stringContaining('use a store on a database');
    expect(errors).toMatchObject(Array(2).fill({ code: 'invalid_options', message }));
  });
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

  it.each([
    ['https://api.payments.ng', false],
    ['https://api.payments.ng', undefined],
    ['http://127.0.0.1:4242', undefined],
  ])('is taken for %s with liveMode %s', (baseUrl, liveMode) => {
    const client = clientAt(baseUrl, liveMode);
    expect(() => createWiredShop({ client, store: durable(), publicUrl })).not.toThrow();
  });
});

it('an http publicUrl is refused once the service turns out to be live, and no account is shown', async () => {
  const { post, wire, errors } = createWiredShop({ publicUrl: 'http://shop.example', store: durable() });
  wire.intercept = changing({ liveMode: true });
  for (const _ of [1, 2]) expect((await post()).status).toBe(500);
  expect(wire.calls).toHaveLength(1);
  const message = expect.stringMatching(/live mode, and publicUrl .*https/);
  expect(errors).toMatchObject(Array(2).fill({ code: 'invalid_options', message }));
});

describe('a checkout whose keys are of the other mode than was declared', () => {
  const allowed = { allowSandbox: true };
  const refusal = { code: 'invalid_options', message: expect.stringMatching(/apiKey and apiSecret/) };

  it.each([true, false])('shows no account (declared: %s)', async (liveMode) => {
    const { sandbox, clock } = createWiredShop();
    const client = createPaymentsClient({
      baseUrl: 'https://service.example',
      apiSecret: 'sk_test_sandbox',
      liveMode,
      now: clock.now,
      fetch: (input, init) => changing({ liveMode: !liveMode })('', () => sandbox.fetch(input, init)),
    });
    const { post, log, checkout } = createWiredShop(
      { client, store: durable(), ...allowed },
      {},
      { clock, sandbox },
    );
    const response = await post();
    expect([response.status, await codeOf(response)]).toEqual([502, 'service_rejected']);
    expect(log.find(({ type }) => type === 'requestFailed')).toMatchObject({ error: { cause: refusal } });
    await expect(checkout.createLink(order)).rejects.toMatchObject({ cause: refusal });
  });

  it('shows nothing that was recorded in the other mode, in a store that both have used', async () => {
    const test = createWiredShop();
    const session = await test.open();
    test.sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    test.clock.advance(5000);
    await test.get(session);
    const client = clientAt('https://service.example', true);
    const live = createWiredShop(
      { store: { ...test.store, isVolatile: false }, client, ...allowed },
      {},
      test,
    );
    const responses = [await live.post(), await live.post(naming(session)), await live.get(session)];
    expect(responses.map(({ status }) => status)).toEqual([500, 500, 500]);
    expect(live.errors).toMatchObject([refusal, refusal, refusal]);
  });
});
