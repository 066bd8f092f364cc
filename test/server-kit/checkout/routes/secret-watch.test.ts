import { describe, expect, it, vi } from 'vitest';
import type { CheckoutOptions } from '../../../../server-kit/checkout/checkout-options.ts';
import { createMemoryStore } from '../../../../server-kit/drivers/memory/store.ts';
import type { Session } from '../../../../src/contract/index.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { createWiredShop, keys } from '../../kit/wired-shop.ts';

const newKey = 'a-new-first-key-of-32-characters-!';
const second = 1000;
const minute = 60 * second;

/** An instance that signs with the first key, and one that was deployed with another key only. */
async function rotateBadly(options: Partial<CheckoutOptions> = {}) {
  const clock = createTestClock();
  const store = createMemoryStore({ now: clock.now });
  const find = vi.spyOn(store, 'find');
  const old = createWiredShop({ store }, {}, { clock });
  const session = await old.open();
  const shop = createWiredShop({ store, clientSecretKeys: [newKey], ...options }, {}, { clock });
  find.mockClear();
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  const read = async (one: Pick<Session, 'reference' | 'clientSecret'> = session) =>
    expect((await shop.get(one)).status).toBe(401);
  const entries = () => shop.log.filter(({ type }) => type === 'secretRefused');
  const reads = () => find.mock.calls.flat();
  return { ...shop, session, clock, reads, pass, read, entries };
}

describe('a secret of a stored payment that is refused', () => {
  it('is logged with what to do about the keys, without the secret, once a minute with the number since', async () => {
    const { session, read, pass, entries } = await rotateBadly();
    for (let refusals = 0; refusals < 60; refusals++) {
      await read();
      await pass(second);
    }
    const entry = {
      level: 'warn',
      type: 'secretRefused',
      reference: session.reference,
      refusals: 1,
      message: expect.stringMatching(/clientSecretKeys.*add .* last .*front/),
    };
    expect(entries()).toEqual([entry]);
    expect(JSON.stringify(entries())).not.toContain(session.clientSecret.slice(-20));
    await read();
    await pass(second);
    expect(entries()).toEqual([entry, { ...entry, refusals: 60 }]);
  });

  it('is not read from the store before the response, nor more than once a second', async () => {
    const { session, read, pass, reads } = await rotateBadly();
    for (let count = 0; count < 10; count++) await read();
    expect(reads()).toEqual([]);
    await pass(second);
    expect(reads()).toEqual([session.reference]);
    await read();
    await read();
    await pass(second);
    expect(reads()).toHaveLength(2);
  });

  it('costs the store nothing beyond the limit of reads', async () => {
    const limits = { reads: 1 };
    const shop = await rotateBadly({ limits, clientKey: () => 'ada' });
    await shop.read();
    await shop.pass(second);
    expect((await shop.get(shop.session)).status).toBe(429);
    await shop.pass(second);
    expect(shop.reads()).toHaveLength(1);
  });

  it('is found among the junk that a stranger sends', async () => {
    const { session, read, pass, entries } = await rotateBadly();
    for (let count = 0; count < 30; count++) {
      await read({ ...session, reference: `tc_${String(count).padStart(12, '0')}` });
      await pass(second);
    }
    await read();
    await pass(second);
    expect(entries()).toMatchObject([{ reference: session.reference, refusals: 1 }]);
  });

  it('does not fail where the store fails', async () => {
    const { read, pass, log } = await rotateBadly({
      store: { ...createMemoryStore(), find: () => Promise.reject(new Error('no store')) },
    });
    await read();
    await pass(second);
    expect(log).toContainEqual(expect.objectContaining({ type: 'storeFailed' }));
  });
});

describe('a secret that is refused', () => {
  const expired = 'cs_test_1_'.padEnd(74, '0');
  it.each<[string, Partial<Session>]>([
    ['of another form', { clientSecret: 'x' }],
    ['that is empty', { clientSecret: '' }],
    ['that has expired', { clientSecret: expired }],
    ['of a reference of another form', { reference: 'tc_1' }],
    ['of a reference that a database refuses', { reference: 'tc_%00%00%00%00%00%00%00%00%00%00%00%00' }],
  ])('is neither looked up nor logged if it is one %s', async (_name, change) => {
    const { session, read, pass, entries, reads } = await rotateBadly();
    await read({ ...session, ...change });
    await pass(minute);
    expect([entries(), reads()]).toEqual([[], []]);
  });

  it('is not logged if its payment is not stored; nor is a secret that is accepted', async () => {
    const { session, get, pass, entries } = await rotateBadly({ clientSecretKeys: [newKey, ...keys] });
    expect((await get(session)).status).toBe(200);
    expect((await get({ ...session, reference: 'tc_000000000000' })).status).toBe(401);
    await pass(minute);
    expect(entries()).toEqual([]);
  });
});
