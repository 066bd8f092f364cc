import { describe, expect, it } from 'vitest';
import { createClientSecrets, resemblesClientSecret } from '../../../server-kit/core/secrets.ts';
import { keys } from '../kit/wired-shop.ts';

const expiresAtSeconds = 1_800_000_000;
const claims = { reference: 'tc_1', liveMode: false, expiresAtSeconds };
const payment = { reference: 'tc_1', liveMode: false, expiresAt: '2027-01-15T08:00:00.000Z' };
const beforeEnd = expiresAtSeconds * 1000 - 1;
const secrets = createClientSecrets(keys, 0);

// The MAC was computed with OpenSSL. Shoppers hold secrets of earlier releases for weeks.
const mac = '7844816ac963febcee684a4b8096cd38d5e095e84a3bf20007c8426d9908582b';
const secret = `cs_test_tro8w0_${mac}`;

describe('a client secret', () => {
  it('is the same each time it is issued for the same claims, by every release, and names its mode', async () => {
    expect(await secrets.issue(payment)).toBe(secret);
    expect(await secrets.issue({ ...payment, liveMode: true })).toMatch(/^cs_live_/);
  });

  it('is valid for its reference until the last millisecond before its end', async () => {
    expect(await secrets.verify(secret, 'tc_1', beforeEnd)).toEqual(claims);
    for (const nowMs of [beforeEnd + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(await secrets.verify(secret, 'tc_1', nowMs)).toBeUndefined();
    }
  });

  it.each([
    [secret, true],
    ['cs_live_', true],
    ['cs_demo_', false],
    [`x${secret}`, false],
  ])('is recognised by its beginning: %s', (text, expected) => {
    expect(resemblesClientSecret(text)).toBe(expected);
  });

  it('is accepted when it is signed with any key, and refused when that key is gone', async () => {
    const old = await createClientSecrets(keys.slice(1), 0).issue(payment);
    expect(await secrets.verify(old, 'tc_1', beforeEnd)).toEqual(claims);
    expect(await createClientSecrets(keys.slice(0, 1), 0).verify(old, 'tc_1', beforeEnd)).toBeUndefined();
  });

  it.each([
    ['of another payment', secret, 'tc_2'],
    ['with text before it', `x${secret}`],
    ['with text after it', `${secret}0`],
    ['with a later end', `cs_test_tro8w1_${mac}`],
    ['of the other mode', `cs_live_tro8w0_${mac}`],
    ['of a mode that does not exist', `cs_demo_tro8w0_${mac}`],
    ['without a MAC', 'cs_test_tro8w0_'],
    ['with a MAC cut short', `cs_test_tro8w0_${'0'.repeat(63)}`],
    ['with a MAC in capitals', `cs_test_tro8w0_${mac.toUpperCase()}`],
    ['without an end', `cs_test__${mac}`],
    ['with an end beyond all times', `cs_test_${'z'.repeat(9)}_${mac}`],
    ['with an end that is not a number', `cs_test_-1_${mac}`],
  ])('is refused when it is one %s', async (_name, changed, reference = 'tc_1') => {
    expect(await secrets.verify(changed, reference, beforeEnd)).toBeUndefined();
  });
});
