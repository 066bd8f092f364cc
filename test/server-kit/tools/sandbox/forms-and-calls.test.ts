import { expect, it } from 'vitest';
import { createSandboxCalls } from '../../../../server-kit/tools/sandbox/pages/client/sandbox-calls.ts';
import { parseAmount } from '../../../../server-kit/tools/sandbox/pages/format/money.ts';
import { initiate, newSandbox, origin } from './sandbox-kit.ts';

it.each([
  ['12500', 1_250_000],
  ['12,500.5', 1_250_050],
  [' 0.29 ', 29],
  ['90071992547409.91', 9_007_199_254_740_991],
])('the amount "%s" is read as %i kobo', (text, value) => {
  expect(parseAmount(text, 'NGN')).toEqual({ value });
});

it.each(['', '-5', '1.234', '1,23', '1.', '.5', '0.00', '1e5', '90071992547409.92', 'NGN 5'])(
  'the amount "%s" is refused, with what to type',
  (text) => {
    expect(parseAmount(text, 'NGN')).toEqual({ problem: expect.stringMatching(/^Type /) });
  },
);

it('the same list is returned while nothing has changed, so that nothing is rendered again', async () => {
  const sandbox = newSandbox();
  const calls = createSandboxCalls({ serviceUrl: origin, fetch: sandbox.fetch });
  await initiate(sandbox, { reference: 'ord/1 001?' });
  const before = await calls.listPayments();
  expect(await calls.listPayments()).toBe(before);
  expect((await calls.updatePayment('ord/1 001?', { status: 'failed' })).status).toBe('failed');
  expect(await calls.listPayments()).toMatchObject([{ status: 'failed' }]);
});
