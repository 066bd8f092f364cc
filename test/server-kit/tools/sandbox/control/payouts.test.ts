import { describe, expect, it } from 'vitest';
import { payoutStatuses } from '../../../../../server-kit/service/payout.ts';
import {
  type PayoutSeed,
  payoutConfirmationTransitions,
  payoutTransitions,
} from '../../../../../server-kit/tools/sandbox/index.ts';
import { call, controlCall, expectConflict, newSandbox } from '../sandbox-kit.ts';

const payout = (seed: Partial<PayoutSeed> = {}) => {
  const sandbox = newSandbox();
  const { id } = sandbox.control.createPayout({ amount: 250_000, ...seed });
  sandbox.control.setClock({ advanceSeconds: 60 });
  return {
    sandbox,
    id,
    update: (input: Parameters<typeof sandbox.control.updatePayout>[1]) =>
      sandbox.control.updatePayout(id, input),
    retrieve: async () => (await call(sandbox, `/v1/payouts/${id}`)).body,
  };
};
const later = '2026-01-02T09:31:00.000Z';

describe('a payout', () => {
  it('is created from an amount alone, with every field', async () => {
    const { retrieve } = payout();
    expect(await retrieve()).toEqual({
      id: expect.stringMatching(/^po_/),
      reference: expect.stringMatching(/^ref_/),
      amount: 250_000,
      currency: 'NGN',
      status: 'pending',
      destinationAccountNumber: expect.stringMatching(/^\d{10}$/),
      destinationBankId: 'bank_999',
      stampDuty: 0,
      fee: 0,
      vat: 0,
      networkSessionId: null,
      requiresConfirmation: false,
      confirmationState: null,
      callbackUrl: null,
      receiptEmail: null,
      narration: null,
      metadata: {},
      failureCode: null,
      failureMessage: null,
      initiation: {
        actor: 'user',
        ip: '127.0.0.1',
        user: { email: 'developer@sandbox.example' },
        apiKey: null,
      },
      approval: null,
      cancellation: null,
      liveMode: false,
      createdAt: '2026-01-02T09:30:00.000Z',
      updatedAt: '2026-01-02T09:30:00.000Z',
    });
  });

  it('has the fields of its seed, also when the seed is a returned payout', async () => {
    const { retrieve } = payout({ reference: 'po/1', status: 'failed', narration: 'Rent' });
    const first = await retrieve();
    expect(first).toMatchObject({ reference: 'po/1', narration: 'Rent', failureCode: expect.any(String) });
    const { control } = newSandbox();
    expect(control.createPayout(first)).toEqual(first);
  });

  it.each<[object, string[]]>([
    [{}, ['amount']],
    [{ amount: null }, ['amount']],
    [{ amount: 0 }, ['amount']],
    [{ amount: 0.5 }, ['amount']],
    [{ amount: 1, fee: -1 }, ['fee']],
    [{ amount: 1, vat: '5' }, ['vat']],
    [{ amount: 1, status: 'paid' }, ['status']],
    [{ amount: 1, currency: 'EUR' }, ['currency']],
    [{ amount: 1, reference: '' }, ['reference']],
    [{ amount: 1, id: '..' }, ['id']],
    [{ amount: 1, callbackUrl: 'javascript:alert(1)' }, ['callbackUrl']],
    [{ amount: 1, createdAt: 'yesterday' }, ['createdAt']],
    [{ amount: 1, initiation: { actor: 5 } }, ['initiation.actor']],
    [{ amount: 1, initiation: [] }, ['initiation']],
    [{ amount: 1, initiation: { user: { mail: 'x' } } }, ['initiation.user.mail']],
    [{ amount: 1, amounts: 1 }, ['amounts']],
    [{ amount: 1, liveMode: true }, ['liveMode']],
  ])('is not created from %j', async (seed, params) => {
    const sandbox = newSandbox();
    const response = await controlCall(sandbox, '/_sandbox/payouts', seed);
    expect([response.status, response.body.error.params]).toEqual([422, params]);
    expect(sandbox.control.listPayouts()).toEqual([]);
  });

  it.each<[object, object]>([
    [{ status: 'cancelled', confirmationState: 'rejected' }, { requiresConfirmation: true }],
    [{ status: 'cancelled', requiresConfirmation: true }, { confirmationState: 'pending' }],
    [
      { status: 'succeeded', requiresConfirmation: true },
      { confirmationState: 'confirmed', approval: { approvedBy: expect.any(String) } },
    ],
    [{ status: 'succeeded' }, { requiresConfirmation: false, confirmationState: null, approval: null }],
  ])('fills the rest of its seed to agree with %j', (seed, filled) => {
    expect(newSandbox().control.createPayout({ amount: 1, ...seed })).toMatchObject(filled);
  });

  it.each(['id', 'reference'])('is not created with the %s of another record', async (param) => {
    const { sandbox } = payout({ [param]: 'same' });
    const response = await controlCall(sandbox, '/_sandbox/payouts', { amount: 1, [param]: 'same' });
    expectConflict(response, `${param}_exists`, [param]);
  });

  it('is in minor units for control calls, and in the unit of the dialect for endpoints', async () => {
    const sandbox = newSandbox({ dialect: { amountUnit: 'major' } });
    const { id, amount } = sandbox.control.createPayout({ amount: 29 });
    expect([amount, (await call(sandbox, `/v1/payouts/${id}`)).body.amount]).toEqual([29, 0.29]);
  });
});

const pairs = payoutStatuses.flatMap((from) => payoutStatuses.map((to) => ({ from, to })));

describe('the transitions of a payout', () => {
  it('are the ones agreed on', () => {
    expect(payoutTransitions).toEqual({
      pending: ['sent', 'cancelled'],
      sent: ['succeeded', 'failed'],
      succeeded: ['reversed'],
      failed: [],
      reversed: [],
      cancelled: [],
    });
    expect(payoutConfirmationTransitions).toEqual({
      pending: ['confirmed', 'rejected'],
      confirmed: [],
      rejected: [],
    });
  });

  it.each(pairs)('decide whether a control call moves $from to $to', async ({ from, to }) => {
    const { sandbox, id, retrieve } = payout({ status: from });
    const before = await retrieve();
    const response = await controlCall(sandbox, `/_sandbox/payouts/${id}`, { status: to });
    if (payoutTransitions[from].includes(to)) {
      expect(response.body).toMatchObject({ status: to, updatedAt: later });
      expect(await retrieve()).toEqual(response.body);
    } else {
      expectConflict(response, 'transition_not_allowed', ['status']);
      expect(await retrieve()).toEqual(before);
    }
  });

  it('record who cancelled and why it failed', () => {
    expect(payout().update({ status: 'cancelled', cancelledBy: 'ada@example.com' })).toMatchObject({
      cancellation: { cancelledBy: 'ada@example.com', cancelledAt: later },
    });
    const failure = { failureCode: 'account_closed', failureMessage: 'The account is closed.' };
    expect(payout({ status: 'sent' }).update({ status: 'failed', ...failure })).toMatchObject(failure);
    expect(payout({ status: 'sent' }).update({ status: 'failed' })).toMatchObject({
      failureCode: expect.stringMatching(/./),
      failureMessage: expect.stringMatching(/./),
    });
  });

  it.each<[object, string[]]>([
    [{}, []],
    [{ status: 'paid' }, ['status']],
    [{ confirmationState: 'yes' }, ['confirmationState']],
    [{ approvedBy: '' }, ['approvedBy']],
    [{ failureCode: 'x' }, ['failureCode']],
    [{ status: 'sent', failureMessage: 'x' }, ['failureMessage']],
    [{ amount: 5 }, ['amount']],
    [{ cancelledBy: 'ada' }, ['cancelledBy']],
    [{ status: 'sent', cancelledBy: 'ada' }, ['cancelledBy']],
  ])('refuse %j with 422 and send no callback', async (input, params) => {
    const { sandbox, id } = payout({ callbackUrl: 'https://shop.example/callbacks' });
    const response = await controlCall(sandbox, `/_sandbox/payouts/${id}`, input);
    expect([response.status, response.body.error.params]).toEqual([422, params]);
    expect(sandbox.control.listCallbacks()).toEqual([]);
  });

  it('are refused for an unknown payout', async () => {
    const response = await controlCall(newSandbox(), '/_sandbox/payouts/none', { status: 'sent' });
    expect([response.status, response.body.error.code]).toEqual([404, 'payout_not_found']);
  });
});

describe('a payout that requires confirmation', () => {
  const waiting = () => payout({ requiresConfirmation: true });

  it('is not sent before the confirmation', async () => {
    const { sandbox, id, retrieve } = waiting();
    expect(await retrieve()).toMatchObject({ status: 'pending', confirmationState: 'pending' });
    const response = await controlCall(sandbox, `/_sandbox/payouts/${id}`, { status: 'sent' });
    expectConflict(response, 'payout_not_confirmed', ['status']);
  });

  it('is sent once it is confirmed, with the name of the person', () => {
    const { update } = waiting();
    expect(update({ confirmationState: 'confirmed', approvedBy: 'ada@example.com' })).toMatchObject({
      status: 'pending',
      confirmationState: 'confirmed',
      approval: { approvedBy: 'ada@example.com', approvedAt: later },
    });
    expect(update({ status: 'sent' })).toMatchObject({ status: 'sent' });
  });

  it('is confirmed and sent in one call and keeps an earlier approval', () => {
    const { update } = waiting();
    expect(update({ approvedBy: 'ada@example.com' })).toMatchObject({ confirmationState: 'pending' });
    expect(update({ confirmationState: 'confirmed', status: 'sent' })).toMatchObject({
      status: 'sent',
      approval: { approvedBy: 'ada@example.com' },
    });
  });

  it('is cancelled when it is rejected', () => {
    const { update } = waiting();
    expect(update({ confirmationState: 'rejected', cancelledBy: 'ada@example.com' })).toMatchObject({
      status: 'cancelled',
      confirmationState: 'rejected',
      cancellation: { cancelledBy: 'ada@example.com', cancelledAt: later },
    });
    expect(() => update({ confirmationState: 'confirmed' })).toThrow(/can become nothing/);
  });

  it('can be neither confirmed nor approved when it is not pending any more', () => {
    const { update } = waiting();
    update({ status: 'cancelled' });
    for (const input of [{ confirmationState: 'confirmed' }, { approvedBy: 'ada' }] as const) {
      expect(() => update(input)).toThrow(expect.objectContaining({ code: 'payout_not_pending' }));
    }
  });

  it('is the only kind that can be confirmed', () => {
    expect(() => payout().update({ confirmationState: 'confirmed' })).toThrow(
      expect.objectContaining({ status: 409, code: 'confirmation_not_required' }),
    );
  });
});
