import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Io } from '../../../../server-kit/tools/cli/terminal.ts';
import { createTestShop } from '../../../../server-kit/tools/testing/index.ts';
import { failingFetch, newFile, respondWith, rowOf, runCli, runJson } from './cli-kit.ts';

const key = 'a-key-that-only-the-timer-of-ours-has';
const env = { OPERATOR_KEY: key };
const at = '--url https://shop.example/checkout';
const status = `status ${at}`;

function startShop() {
  const acceptedAmountPolicy = 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY';
  const shop = createTestShop({ operatorKey: key }, { sandbox: { acceptedAmountPolicy } });
  const fetch: Io['fetch'] = (url, init) => shop.checkout.handler(new Request(url, init));
  return { ...shop, io: { env, fetch } };
}

/** The checkout of a shop with an unpaid order, and one that was paid in part without a handler for that. */
async function createShop() {
  const shop = startShop();
  await shop.open({ orderId: 'order-2' });
  await shop.pay(await shop.open({ orderId: 'order-3' }), { amount: 123_456 });
  await shop.callBack({ reference: 'tc_of_another_shop' });
  await shop.advance({ minutes: 3 });
  return shop.io;
}

/** The checkout of a shop that got too much for an order. */
async function createOverpaidShop() {
  const shop = startShop();
  const session = await shop.open({ orderId: 'no/7' });
  await shop.pay(session, { amount: session.amount.value + 100 });
  return shop.io;
}

describe('status', () => {
  it('prints what the checkout says, with ages and amounts for people', async () => {
    const { code, stdout, stderr } = await runCli(status, await createShop());
    expect([code, stderr]).toEqual([0, '']);
    expect(rowOf(stdout, 'outcomes paid')).toBe('0');
    expect(rowOf(stdout, 'oldest unpaid')).toBe('3 min');
    expect(rowOf(stdout, 'oldest unpaid order id')).toBe('order-2');
    expect(rowOf(stdout, 'oldest confirming')).toBe('none');
    expect(rowOf(stdout, 'waiting')).toMatch(
      /^key order-3:\S+, order id order-3, .*amount NGN 1234\.56, state parked, tries \d, failure none$/,
    );
    expect(rowOf(stdout, 'unknown payments')).toBe('tc_of_another_shop');
  });

  it('prints it unchanged as JSON', async () => {
    const amount = { value: 123_456, currency: 'NGN' };
    expect(await runJson(status, await createShop())).toMatchObject({
      outcomes: { paid: 0, amountMismatch: 1 },
      oldestUnpaidMs: 180_000,
      waiting: [{ orderId: 'order-3', amount, state: 'parked', tries: expect.any(Number), failure: null }],
      unknownPayments: ['tc_of_another_shop'],
    });
  });

  it.each([
    ['{"lagMs":0,"empty":[]}', '  lag  0 s\n'],
    ['{"lagMs":59999}', '  lag  59 s\n'],
    ['{"lagMs":60000}', '  lag  1 min\n'],
    ['{"lagMs":3599999}', '  lag  59 min\n'],
    ['{"lagMs":11100000}', '  lag  3 h 5 min\n'],
    ['{"lagMs":187200000}', '  lag  2 days 4 h\n'],
    ['{"a\\u001b[2J":"b\\u001b[2J"}', '  a\\u001b[2 j  b\\u001b[2J\n'],
  ])('prints %s as ages, without control characters', async (body, text) => {
    expect((await runCli(status, { env, fetch: respondWith(200, body).fetch })).stdout).toBe(text);
  });

  it('reads the key from another variable', async () => {
    const { fetch, seen } = respondWith(200, '{}');
    const args = `${status} --key-env OUR_KEY`;
    await runCli(args, { env: { OUR_KEY: key }, fetch });
    expect(seen.map(({ headers }) => headers.get('authorization'))).toEqual([`Bearer ${key}`]);
    const { code, stderr } = await runCli(args, { env, fetch });
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no key in OUR_KEY')]);
  });

  it.each([
    ['401', respondWith(401).fetch, 'key_refused'],
    ['404', respondWith(404).fetch, 'not_found'],
    ['500', respondWith(500).fetch, 'refused'],
    ['a page', respondWith(200, '<!doctype html>').fetch, 'not_a_checkout'],
    ['nothing', failingFetch, 'connection_lost'],
  ])('explains a response of %s, without the key', async (_name, fetch, code) => {
    const { stdout, stderr, ...result } = await runCli(`${status} --json`, { env, fetch });
    expect([result.code, stdout, JSON.parse(stderr).error.code]).toEqual([1, '', code]);
    expect(stderr).not.toContain(key);
  });
});

describe('order', () => {
  it('prints what to do about an order, and notes what was done', async () => {
    const shop = await createOverpaidShop();
    const { code, stdout, stderr } = await runCli(`order no/7 ${at}`, shop);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^Order no\/7\n\nWhat to do: Paid in full at .*₦1\.00 too much came: return it\.\n/,
    );
    expect((await runCli(`status ${at}`, shop)).stdout).toMatch(
      /^ {2}needs a person +order no\/7, NGN 1\.00, for/,
    );
    const noted = await runCli(['order', 'no/7', ...at.split(' '), '--note', 'Returned'], shop);
    expect(noted.stdout).toContain('it was noted “Returned”');
    expect((await runCli(`status ${at}`, shop)).stdout).not.toContain('needs a person');
  });

  it('finds the key in a file .env, too', async () => {
    const file = await newFile(`OPERATOR_KEY=${key}\n`, '.env');
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(dirname(file));
    const { fetch } = await createOverpaidShop();
    expect((await runCli(`order no/7 ${at}`, { fetch })).stdout).toMatch(/^Order no\/7\n/);
  });

  it('prints JSON, and says that an order is not known', async () => {
    const shop = await createOverpaidShop();
    const [report] = await runJson(`order no/7 ${at}`, shop);
    expect(report).toMatchObject({ orderId: 'no/7', situation: 'overpaid', mustReturn: true });
    const { code, stderr } = await runCli(`order other ${at}`, shop);
    const message = expect.stringContaining('No order, reference or account number here is other');
    expect([code, stderr]).toEqual([1, message]);
  });
});
