import fc from 'fast-check';
import * as real from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { Session } from '../../src/contract/session.ts';
import { clientSecret, sessionOf } from './views.ts';

/** The contract as the script tag has it. */
async function leanContract() {
  const lean = await import('../../src/contract/lean-valibot.ts');
  vi.doMock('valibot', () => lean);
  vi.resetModules();
  const contract = await import('../../src/contract/session.ts');
  vi.doUnmock('valibot');
  return (value: unknown) => lean.safeParse(contract.Session as never, value) as ReturnType<typeof judge>;
}

const judge = (value: unknown) => real.safeParse(Session, value);
const pathOf = (result: ReturnType<typeof judge>) => result.issues?.[0].path?.map(({ key }) => key);

describe('the part of valibot that browsers load', () => {
  const broken = fc.oneof(fc.anything(), fc.constant(undefined), fc.double(), fc.string());
  const authorizationUrl = 'https://pay.example/1';
  const full = {
    ...sessionOf(),
    receivedLate: true,
    paidAt: '2026-03-01T12:00:00Z',
    authorizationUrl,
    paymentReference: 'order-1001-0',
    orderChargedAmount: 2_500_000,
  };
  const names = [...Object.keys(full), 'unknown', 'amount.value', 'amount.currency', 'account.name'];

  it('says the same as valibot of sessions, whole, incomplete or broken', async () => {
    const judgeLean = await leanContract();
    const spoil = (name: string, value: unknown, isMissing: boolean): unknown => {
      const copy: Record<string, unknown> = structuredClone(full);
      const [first = '', second] = name.split('.');
      const [holder, key] = second ? [copy[first] as object, second] : [copy, first];
      if (isMissing) Reflect.deleteProperty(holder, key);
      else Reflect.set(holder, key, value);
      return copy;
    };
    fc.assert(
      fc.property(fc.constantFrom(...names), broken, fc.boolean(), (name, value, isMissing) => {
        const session = spoil(name, value, isMissing);
        const [theirs, ours] = [judge(session), judgeLean(session)];
        expect(ours.success).toBe(theirs.success);
        if (theirs.success) expect(ours.output).toEqual(theirs.output);
        else expect(pathOf(ours)).toEqual(pathOf(theirs));
      }),
      { numRuns: 2000 },
    );
    for (const value of [null, undefined, 5, 'text', [], {}]) {
      expect(judgeLean(value).success).toBe(judge(value).success);
    }
  });

  it('keeps what it is given', async () => {
    expect((await leanContract())(full)).toEqual({ success: true, output: { ...full, clientSecret } });
  });
});
