import { describe, expect, it } from 'vitest';
import { createEngine } from '../../../server-kit/engine.ts';
import { settle } from '../../settle.ts';
import { createGate } from '../kit/gate.ts';
import { refusing } from '../kit/wire-faults.ts';
import { createWiredShop, keys, order, shopUrl } from '../kit/wired-shop.ts';

const never = new AbortController().signal;

/** The verifier of a shop that has an open payment, and whose first verification of it hangs until `release`. */
async function slowVerifier() {
  const { payments, store, clock, wire, open } = createWiredShop();
  const { reference } = await open();
  const { verifier } = createEngine({
    ...{ payments, store, now: clock.now, wait: clock.wait },
    ...{ clientSecretKeys: keys, createPayment: () => order, publicUrl: shopUrl, onLog: () => {} },
  });
  const { open: release, opened: released } = createGate();
  wire.intercept = async (_path, send) => {
    await released;
    return send();
  };
  const first = verifier.verify(reference);
  await settle();
  wire.intercept = undefined;
  // Long enough for the next verification to be due.
  clock.advance(2001);
  return { verifier, reference, first, release, store, wire, limit: () => (wire.intercept = refusing(429)) };
}

describe('a verification for a shopper that the service refuses with 429', () => {
  it('returns the stored record', async () => {
    const { verifier, reference, first, release, limit } = await slowVerifier();
    release();
    await first;
    limit();
    for (let time = 0; time < 2; time++)
      expect(await verifier.verify(reference)).toMatchObject({ outcome: 'pending' });
  });

  it('is not the basis of a decision that was waiting for it', async () => {
    const { verifier, reference, first, release, limit } = await slowVerifier();
    const patient = verifier.verify(reference);
    await settle();
    const decision = verifier.verifyNow(reference, never);
    const refused = expect(decision).rejects.toMatchObject({ cause: { code: 'rate_limited' } });
    limit();
    release();
    await refused;
    expect(await patient).toEqual(await first);
  });

  it('does not count for a callback that was waiting for it', async () => {
    const { verifier, reference, release, limit } = await slowVerifier();
    const patient = verifier.verify(reference);
    await settle();
    const { ended } = verifier.verifyQueued(reference, 'callback');
    const refused = expect(ended).rejects.toMatchObject({ cause: { code: 'rate_limited' } });
    limit();
    release();
    await refused;
    expect(await patient).toMatchObject({ outcome: 'pending' });
  });
});

describe('an immediate verification whose signal aborts', () => {
  it('does not fail another that shares its request', async () => {
    const { verifier, reference, first, release, store } = await slowVerifier();
    const aborted = new AbortController();
    const one = verifier.verifyNow(reference, aborted.signal).catch(() => {});
    const other = verifier.verifyNow(reference, never);
    await settle();
    const { findByReference } = store;
    store.findByReference = async (found) => {
      aborted.abort(new Error('given up'));
      return findByReference(found);
    };
    release();
    await Promise.all([first, one]);
    expect(await other).toMatchObject({ reference, outcome: 'pending' });
  });

  it('starts nothing', async () => {
    const { verifier, reference, first, release, wire } = await slowVerifier();
    const aborted = new AbortController();
    const decision = verifier.verifyNow(reference, aborted.signal);
    const refused = expect(decision).rejects.toThrow('given up');
    await settle();
    aborted.abort(new Error('given up'));
    release();
    await Promise.all([first, refused]);
    expect(wire.calls.filter((path) => path.endsWith('/verify'))).toHaveLength(1);
  });
});
