import { describe, expect, it, vi } from 'vitest';
import { createSandbox, readFixtures } from '../../../../server-kit/tools/sandbox/index.ts';
import { individual } from '../../kit/account-requests.ts';
import { nextTurn } from '../../kit/test-clock.ts';
import { fixtures } from './endpoint-examples.ts';
import { call, controlCall, goodBody, initiate, memoryStorage, newSandbox } from './sandbox-kit.ts';

describe('a sandbox with a storage', () => {
  it('repeats no id after a restart, even if the random numbers repeat', async () => {
    const options = { storage: memoryStorage(), random: () => 0.5 };
    // One record with two ids, then one with one.
    await initiate(newSandbox(options), { reference: 'ord_1', customer: { name: 'Ada' } });
    await initiate(newSandbox(options), { reference: 'ord_2', customer: undefined });
    expect(newSandbox(options).control.listPayments()).toHaveLength(2);
  });

  it('responds with 500 to everything after the first failed write', async () => {
    const append = vi.fn().mockRejectedValue(new Error('The disk is full.'));
    const sandbox = newSandbox({ storage: { entries: [], append } });
    const responses = [
      await call(sandbox, '/v1/payments', { body: goodBody }),
      await call(sandbox, '/v1/payments', { body: { ...goodBody, reference: 'ord_2' } }),
      await call(sandbox, '/v1/payments/ord_1001/verify'),
      await call(sandbox, '/v1/payments', { body: goodBody }),
      await controlCall(sandbox, '/_sandbox/payments'),
    ];
    for (const { status, body } of responses) {
      expect([status, body.error.type, body.error.code]).toEqual([500, 'api_error', 'storage_failed']);
      expect(body.error.message).toMatch(/The disk is full\..*restart the sandbox/);
    }
    expect(append).toHaveBeenCalledOnce();
  });
});

const payment = { ...goodBody, reference: 'ord_1' };
const withAccount = (change: object) => ({ dedicated_accounts: [{ ...individual, ...change }] });

describe('fixtures', () => {
  it.each<[string, unknown, RegExp]>([
    ['a text', '{}', /fixtures: /],
    ['a list', [1], /0: is not a known field/],
    ['half a character', { invoices: [{ amountDue: 1, number: '\ud800' }] }, /half of a surrogate pair/],
    ['a forbidden key', JSON.parse('{"payouts":[{"amount":1,"metadata":{"__proto__":1}}]}'), /__proto__/],
    ['an unknown kind', { payment: [] }, /payment: is not a known field/],
    ['a record that is not a list', { payouts: { amount: 1 } }, /payouts: /],
    ['an item that is null', { apps: [null] }, /apps\[0\]: /],
    ['an amount of 0', { payouts: [{ amount: 1 }, { amount: 0 }] }, /payouts\[1\]\.amount: must be above 0/],
    [
      'a part of an item',
      { payments: [{ ...payment, amount: {} }] },
      /payments\[0\]\.amount\.value: is missing/,
    ],
    ['a list', { invoices: [{ amountDue: 1, taxRateIds: [1] }] }, /invoices\[0\]\.taxRateIds\[0\]: /],
    [
      'an unknown field',
      { tax_rates: [{ name: 'A', rate: 1 }] },
      /tax_rates\[0\]\.rate: is not a known field/,
    ],
    ['an invalid consent', withAccount({ consent: false }), /dedicated_accounts\[0\]\.consent: /],
    [
      'a field of the consent',
      withAccount({ consent: { status: 'open' } }),
      /dedicated_accounts\[0\]\.consent\.status: must be one of active/,
    ],
    ['a reference twice', { payments: [payment, payment] }, /payments\[1\]\.reference: .*used before/],
    [
      'a bank that does not exist',
      withAccount({ preferredBank: 'none' }),
      /dedicated_accounts\[0\]\.preferredBank: .*sandbox_mfb/,
    ],
  ])('name the place of %s', (_name, json, message) => {
    const act = () => createSandbox({ fixtures: readFixtures(json) });
    expect(act).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(act).toThrow(message);
  });

  it('leave nothing on a storage when one of them is refused', async () => {
    const storage = memoryStorage();
    expect(() => newSandbox({ storage, fixtures: { payments: [payment, payment] } })).toThrow(/used before/);
    await nextTurn();
    expect(storage.entries).toEqual([]);
    const { control } = newSandbox({ storage, fixtures: { payments: [payment] } });
    expect(control.listPayments()).toHaveLength(1);
  });

  it('are created once on a storage', async () => {
    const storage = memoryStorage();
    const first = newSandbox({ storage, fixtures });
    first.control.updatePayout('po_1', { status: 'cancelled' });
    await first.settled();
    const second = newSandbox({ storage, fixtures });
    expect(second.control.listPayouts()).toEqual(first.control.listPayouts());
    expect(second.control.listPayments()).toHaveLength(1);
    expect(second.control.listDedicatedAccounts()).toEqual(first.control.listDedicatedAccounts());
    expect(() => newSandbox({ storage, fixtures: { payouts: [{ amount: 0 }] } })).toThrow(/payouts\[0\]/);
  });
});
