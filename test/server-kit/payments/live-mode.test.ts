import { describe, expect, it } from 'vitest';
import { createPaymentsClient } from '../../../server-kit/client/client.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { changing } from '../kit/wire-faults.ts';
import { createWiredShop } from '../kit/wired-shop.ts';

const clientAt = (baseUrl: string, liveMode?: boolean) =>
  createPaymentsClient({ baseUrl, apiSecret: 'sk_1', liveMode });

describe('a store that forgets', () => {
  it.each([
    ['https://api.payments.ng', undefined],
    ['https://10.0.0.7', undefined],
    ['https://localhost.payments.ng', undefined],
    ['https://service.example', true],
    ['https://localhost:4242', true],
  ])('is refused for %s with liveMode %s, before anything is asked', (baseUrl, liveMode) => {
    expect(() => createWiredShop({ payments: clientAt(baseUrl, liveMode) })).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: expect.stringMatching(/^store: .*allowVolatileStore.*liveMode: false/),
      }),
    );
  });

  it.each([
    ['https://api.payments.ng', false],
    ['https://service.example', undefined],
    ['http://localhost:4242', undefined],
    ['http://127.0.0.1:4242/service', undefined],
    ['http://[::1]:4242', undefined],
    ['https://payments.test', undefined],
    ['http://10.0.0.7', undefined],
  ])('is taken for %s with liveMode %s', (baseUrl, liveMode) => {
    expect(() => createWiredShop({ payments: clientAt(baseUrl, liveMode) })).not.toThrow();
  });

  it('is accepted with allowVolatileStore', () => {
    const payments = clientAt('https://api.payments.ng', true);
    expect(() => createWiredShop({ payments, allowVolatileStore: true })).not.toThrow();
    const store = { ...createMemoryStore(), isVolatile: false };
    expect(() => createWiredShop({ payments, store })).not.toThrow();
  });

  it('requests one payment of a service that turns out to be live, shows it to nobody, and requests no other', async () => {
    const { post, wire, errors } = createWiredShop();
    wire.intercept = changing({ liveMode: true });
    const first = await post();
    expect(first.status).toBe(500);
    expect(await first.text()).not.toMatch(/accountNumber|clientSecret/);
    const calls = wire.calls.length;
    expect((await post()).status).toBe(500);
    expect(wire.calls.length).toBe(calls);
    expect(errors).toMatchObject([{ code: 'invalid_options' }, { code: 'invalid_options' }]);
  });
});

describe('liveMode', () => {
  it('must be true or false', () => {
    expect(() => clientAt('https://service.example', 'no' as never)).toThrow(/liveMode/);
  });
});
