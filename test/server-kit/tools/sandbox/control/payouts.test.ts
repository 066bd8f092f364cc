import { describe, expect, it } from 'vitest';
import type { PayoutSeed } from '../../../../../server-kit/tools/sandbox/index.ts';
import { newSandbox } from '../sandbox-kit.ts';

const payout = (seed: Partial<PayoutSeed> = {}) => {
  const { control } = newSandbox();
  const made = control.createPayout({ amount: 250_000, ...seed });
  control.setClock({ advanceSeconds: 60 });
  const update = (input: Parameters<typeof control.updatePayout>[1]) => control.updatePayout(made.id, input);
  return { made, update };
};
const later = '2026-01-02T09:31:00.000Z';
const ada = 'ada@example.com';

describe('a payout', () => {
  it('is created from an amount alone', () => {
    expect(payout().made).toMatchObject({
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

  it('has the fields of its seed, also when the seed is a returned payout', () => {
    const { made } = payout({ reference: 'po/1', status: 'failed', narration: 'Rent' });
    expect(made).toMatchObject({ reference: 'po/1', narration: 'Rent', failureCode: expect.any(String) });
    expect(newSandbox().control.createPayout(made)).toEqual(made);
  });

  it.each<[PayoutSeed, object]>([
    [{ amount: 1, status: 'cancelled', confirmationState: 'rejected' }, { requiresConfirmation: true }],
    [{ amount: 1, status: 'cancelled', requiresConfirmation: true }, { confirmationState: 'pending' }],
    [
      { amount: 1, status: 'succeeded', requiresConfirmation: true },
      { confirmationState: 'confirmed', approval: { approvedBy: expect.any(String) } },
    ],
    [
      { amount: 1, status: 'succeeded' },
      { requiresConfirmation: false, confirmationState: null, approval: null },
    ],
  ])('fills the rest of its seed to agree with %j', (seed, filled) => {
    expect(newSandbox().control.createPayout(seed)).toMatchObject(filled);
  });

  it('records who cancelled it and why it failed', () => {
    expect(payout().update({ status: 'cancelled', cancelledBy: ada })).toMatchObject({
      cancellation: { cancelledBy: ada, cancelledAt: later },
    });
    const failure = { failureCode: 'account_closed', failureMessage: 'The account is closed.' };
    const sent = { status: 'sent' } as const;
    expect(payout(sent).update({ status: 'failed', ...failure })).toMatchObject(failure);
    const some = expect.stringMatching(/./);
    expect(payout(sent).update({ status: 'failed' })).toMatchObject({
      failureCode: some,
      failureMessage: some,
    });
  });
});

describe('a payout that requires confirmation', () => {
  const waiting = () => payout({ requiresConfirmation: true });
  const refusal = (code: string) => expect.objectContaining({ status: 409, code });

  it('is sent once it is confirmed, with the name of the person', () => {
    const { made, update } = waiting();
    expect(made).toMatchObject({ status: 'pending', confirmationState: 'pending' });
    expect(() => update({ status: 'sent' })).toThrow(refusal('payout_not_confirmed'));
    expect(update({ confirmationState: 'confirmed', approvedBy: ada })).toMatchObject({
      status: 'pending',
      confirmationState: 'confirmed',
      approval: { approvedBy: ada, approvedAt: later },
    });
    expect(update({ status: 'sent' })).toMatchObject({ status: 'sent' });
  });

  it('is confirmed and sent in one call and keeps an earlier approval', () => {
    const { update } = waiting();
    expect(update({ approvedBy: ada })).toMatchObject({ confirmationState: 'pending' });
    const sent = update({ confirmationState: 'confirmed', status: 'sent' });
    expect(sent).toMatchObject({ status: 'sent', approval: { approvedBy: ada } });
  });

  it('is cancelled when it is rejected', () => {
    const { update } = waiting();
    expect(update({ confirmationState: 'rejected', cancelledBy: ada })).toMatchObject({
      status: 'cancelled',
      confirmationState: 'rejected',
      cancellation: { cancelledBy: ada, cancelledAt: later },
    });
    expect(() => update({ confirmationState: 'confirmed' })).toThrow(/can become nothing/);
  });

  it('can be neither confirmed nor approved when it is not pending any more', () => {
    const { update } = waiting();
    update({ status: 'cancelled' });
    for (const input of [{ confirmationState: 'confirmed' }, { approvedBy: 'ada' }] as const)
      expect(() => update(input)).toThrow(refusal('payout_not_pending'));
  });

  it('is the only kind that can be confirmed', () => {
    const act = () => payout().update({ confirmationState: 'confirmed' });
    expect(act).toThrow(refusal('confirmation_not_required'));
  });
});
