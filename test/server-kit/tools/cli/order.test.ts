import { dirname } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Io } from '../../../../server-kit/tools/cli/terminal.ts';
import { createTestShop } from '../../../../server-kit/tools/testing/index.ts';
import { newFile, runCli, runJson } from './cli-kit.ts';

const key = 'a-key-that-only-the-support-of-ours-has';
const at = '--url https://shop.example/checkout';

/** A shop that got too much for an order. */
async function createShop(): Promise<Pick<Io, 'env' | 'fetch'>> {
  const acceptedAmountPolicy = 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY';
  const shop = createTestShop({ operatorKey: key }, { sandbox: { acceptedAmountPolicy } });
  const session = await shop.open({ orderId: 'no/7' });
  await shop.pay(session, { amount: session.amount.value + 100 });
  return { env: { OPERATOR_KEY: key }, fetch: (url, init) => shop.checkout.handler(new Request(url, init)) };
}

it('prints what to do about an order, and notes what was done', async () => {
  const shop = await createShop();
  const { code, stdout, stderr } = await runCli(`order no/7 ${at}`, shop);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Order no\/7\n\nWhat to do: Paid in full at .*₦1\.00 too much came: return it\.\n/);
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
  const { fetch } = await createShop();
  expect((await runCli(`order no/7 ${at}`, { fetch })).stdout).toMatch(/^Order no\/7\n/);
});

it('prints JSON', async () => {
  const [report] = await runJson(`order no/7 ${at}`, await createShop());
  expect(report).toMatchObject({ orderId: 'no/7', situation: 'overpaid', mustReturn: true });
});

it('says that an order is not known', async () => {
  const { code, stderr } = await runCli(`order other ${at}`, await createShop());
  const message = expect.stringContaining('No order, reference or account number here is other');
  expect([code, stderr]).toEqual([1, message]);
});
