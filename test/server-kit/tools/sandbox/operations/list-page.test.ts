import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../../server-kit/tools/sandbox/index.ts';
import { call, expectRefusal, newSandbox, startMs } from '../sandbox-kit.ts';

/** Payouts of 1, 2, 3 ... kobo, a minute apart from each other. */
function withPayouts(count: number, sandbox: Sandbox = newSandbox()): Sandbox {
  for (let amount = 1; amount <= count; amount++) {
    sandbox.control.createPayout({ amount, createdAt: new Date(startMs + amount * 60_000).toISOString() });
  }
  return sandbox;
}

const page = async (sandbox: Sandbox, query = '') => {
  const { status, body } = await call(sandbox, `/v1/payouts${query}`);
  expect(status).toBe(200);
  return { ...body, amounts: body.data.map(({ amount }: { amount: number }) => amount) };
};
const next = (cursor: string): string => `cursor=${encodeURIComponent(cursor)}`;
const at = (minutes: number): number => startMs / 1000 + minutes * 60;

describe('a list', () => {
  it('is empty without records, and has 20 in a page', async () => {
    expect(await page(newSandbox())).toEqual({ hasMore: false, cursor: '', data: [], amounts: [] });
    const { amounts, hasMore } = await page(withPayouts(21));
    expect([amounts.length, amounts[0], amounts[19], hasMore]).toEqual([20, 21, 2, true]);
  });

  it.each([
    [1, [3], true],
    [2, [3, 2], true],
    [3, [3, 2, 1], false],
    [100, [3, 2, 1], false],
  ])('has a page of limit %i: %j', async (limit, amounts, hasMore) => {
    expect(await page(withPayouts(3), `?limit=${limit}`)).toMatchObject({ amounts, hasMore });
  });

  it('is ordered by createdAt, for equal times with the record first that was added last', async () => {
    const sandbox = newSandbox();
    for (const amount of [1, 2, 3]) sandbox.control.createPayout({ amount });
    sandbox.control.createPayout({ amount: 99, createdAt: '2025-01-01T00:00:00Z' });
    expect((await page(sandbox)).amounts).toEqual([3, 2, 1, 99]);
  });
});

describe('a cursor', () => {
  it('continues where the page ended, while records are added and changed', async () => {
    const sandbox = withPayouts(4);
    const first = await page(sandbox, '?limit=2&status=pending');
    sandbox.control.createPayout({ amount: 99 });
    sandbox.control.createPayout({ amount: 98, createdAt: new Date(startMs + 9e6).toISOString() });
    for (const { id } of first.data) sandbox.control.updatePayout(id, { status: 'cancelled' });
    const second = await page(sandbox, `?limit=2&status=pending&${next(first.cursor)}`);
    expect([...first.amounts, ...second.amounts]).toEqual([4, 3, 2, 1]);
  });

  it('is refused with its name in the dialect if it is of another list', async () => {
    const sandbox = withPayouts(1, newSandbox({ dialect: { listParameters: { cursor: 'after' } } }));
    const { cursor } = await page(sandbox);
    const response = await call(sandbox, `/v1/tax_rates?after=${encodeURIComponent(cursor)}`);
    expectRefusal(response, 422, 'validation_failed', ['after']);
  });
});

describe('a filter', () => {
  it.each([
    [`createdAt.gte=${at(3)}`, [4, 3]],
    [`createdAt.gt=${at(3)}`, [4]],
    [`createdAt.lte=${at(2)}`, [2, 1]],
    [`createdAt.lt=${at(2)}`, [1]],
    [`createdAt.gte=${at(2)}&createdAt.lt=${at(4)}`, [3, 2]],
    [`createdAt.gt=${at(9)}`, []],
  ])('compares the time: %s gives %j', async (query, amounts) => {
    expect((await page(withPayouts(4), `?${query}`)).amounts).toEqual(amounts);
  });

  it('returns the records with any of several values', async () => {
    const sandbox = newSandbox();
    for (const [index, status] of (['pending', 'sent', 'failed'] as const).entries())
      sandbox.control.createPayout({ amount: index + 1, status });
    const found = async (query: string) => (await page(sandbox, query)).amounts;
    expect(await found('?status=sent')).toEqual([2]);
    expect(await found('?status=failed&status=pending')).toEqual([3, 1]);
    expect(await found('?status=reversed')).toEqual([]);
    expect(await found('?limit=1&status=failed&status=sent')).toEqual([3]);
  });
});
