import { describe, expect, it } from 'vitest';
import { createClientSecrets } from '../../../server-kit/sessions/client-secret.ts';
import { keys } from '../kit/wired-shop.ts';

const expiresAtSeconds = 1_800_000_000;
const claims = { reference: 'tc_1', liveMode: false, expiresAtSeconds };
const beforeEnd = expiresAtSeconds * 1000 - 1;
const secrets = createClientSecrets(keys, 0);

/** The three parts of a secret, and a way to put others in their place. */
function partsOf(secret: string) {
  const [mode = '', expiry = '', mac = ''] = secret.replace('cs_', '').split('_');
  return { mode, expiry, mac, with: (change: object) => joinParts({ mode, expiry, mac, ...change }) };
}
const joinParts = ({ mode, expiry, mac }: { mode: string; expiry: string; mac: string }) =>
  `cs_${mode}_${expiry}_${mac}`;

describe('a client secret', () => {
  it('is valid for its reference until the last millisecond before its end', async () => {
    const secret = await secrets.issue(claims);
    expect(await secrets.verify(secret, 'tc_1', beforeEnd)).toEqual(claims);
    expect(await secrets.verify(secret, 'tc_1', beforeEnd + 1)).toBeUndefined();
  });

  it('is the same each time it is issued for the same claims, by every release', async () => {
    // The MAC was computed with OpenSSL. Shoppers hold secrets of earlier releases for weeks.
    const secret = 'cs_test_tro8w0_7844816ac963febcee684a4b8096cd38d5e095e84a3bf20007c8426d9908582b';
    expect(await secrets.issue(claims)).toBe(secret);
    expect(await secrets.issue({ ...claims })).toBe(secret);
  });

  it.each([
    ['before', (secret: string) => `x${secret}`],
    ['after', (secret: string) => `${secret}0`],
  ])('is refused with text %s it', async (_where, change) => {
    const changed = change(await secrets.issue(claims));
    expect(await secrets.verify(changed, 'tc_1', beforeEnd)).toBeUndefined();
  });

  it('carries its mode, so that a log shows which one it was', async () => {
    expect(await secrets.issue(claims)).toMatch(/^cs_test_/);
    expect(await secrets.issue({ ...claims, liveMode: true })).toMatch(/^cs_live_/);
  });

  it('cannot be made to last longer', async () => {
    const secret = partsOf(await secrets.issue(claims));
    const later = secret.with({ expiry: (expiresAtSeconds + 1).toString(36) });
    expect(later).not.toBe(secret.with({}));
    expect(await secrets.verify(later, 'tc_1', beforeEnd)).toBeUndefined();
  });

  it('of test mode cannot be made one of live mode', async () => {
    const secret = partsOf(await secrets.issue(claims));
    expect(await secrets.verify(secret.with({ mode: 'live' }), 'tc_1', beforeEnd)).toBeUndefined();
  });

  it('of one payment opens no other', async () => {
    expect(await secrets.verify(await secrets.issue(claims), 'tc_2', beforeEnd)).toBeUndefined();
  });

  it('signed with any key is accepted, with a key that is gone refused', async () => {
    const old = await createClientSecrets(keys.slice(1), 0).issue(claims);
    expect(await secrets.verify(old, 'tc_1', beforeEnd)).toEqual(claims);
    expect(await createClientSecrets(keys.slice(0, 1), 0).verify(old, 'tc_1', beforeEnd)).toBeUndefined();
  });

  it.each([
    ['without a MAC', { mac: '' }],
    ['with a MAC cut short', { mac: '0'.repeat(63) }],
    ['with a MAC in capitals', { mac: 'A'.repeat(64) }],
    ['without an end', { expiry: '' }],
    ['with an end beyond all times', { expiry: 'z'.repeat(9) }],
    ['with an end that is no number', { expiry: '-1' }],
    ['of a mode that does not exist', { mode: 'demo' }],
  ])('%s is refused', async (_name, change) => {
    const secret = partsOf(await secrets.issue(claims)).with(change);
    expect(await secrets.verify(secret, 'tc_1', beforeEnd)).toBeUndefined();
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('is refused by a clock that says %d', async (nowMs) => {
    expect(await secrets.verify(await secrets.issue(claims), 'tc_1', nowMs)).toBeUndefined();
  });
});
