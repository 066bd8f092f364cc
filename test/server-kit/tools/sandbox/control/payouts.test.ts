import { describe, expect, it } from 'vitest';
import type { PayoutSeed } from '../../../../../server-kit/tools/sandbox/index.ts';
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
  it('is created from an amount alone', async () => {
    const { retrieve } = payout();
    expect(await retrieve()).toMatchObject({
      reference: expect.stringMatching(/^ref_/),
      amount: 250_000,
      currency: 'NGN',
      status: 'pending',
      destinationAccountNumber: expect.stringMatching(/^\d{10}$/),
      requiresConfirmation: false,
      initiation: { user: { email: 'developer@sandbox.example' } },
      createdAt: '2026-01-02T09:30:00.000Z',
    });
  });

  it('has the fields of its seed, also when the seed is a returned payout', async () => {
    const { retrieve } = payout({ reference: 'po/1', status: 'failed', narration: 'Rent' });
    const first = await retrieve();
    expect(first).toMatchObject({ reference: 'po/1', narration: 'Rent', failureCode: expect.any(String) });
    const { control } = newSandbox();
    expect(control.createPayout(first)).toEqual(first);
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
});

describe('the update of a payout', () => {
  it('records who cancelled and why it failed', () => {
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
