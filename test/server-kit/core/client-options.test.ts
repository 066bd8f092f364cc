import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createPaymentsClient } from '../../../server-kit/core/client.ts';
import type { PaymentsClientOptions } from '../../../server-kit/core/client-options.ts';
import { defaultDialect } from '../../../server-kit/core/options.ts';
import { createDialect } from '../../../server-kit/service/dialect.ts';
import { listTaxRates } from '../../../server-kit/service/index.ts';
import { CheckoutError } from '../../../src/contract/index.ts';
import {
  clientOf,
  initiation,
  initiationRequest,
  payment,
  type TestClientOptions,
} from '../kit/client-kit.ts';
import { cpuMsOf } from '../kit/cpu-time.ts';
import { strayKeys } from '../kit/stray-keys.ts';

const base = { baseUrl: 'https://service.example', apiSecret: 'sk_test_1' };

function refusalOf(options: object): CheckoutError {
  try {
    createPaymentsClient({ ...base, ...options } as PaymentsClientOptions);
  } catch (error) {
    return error as CheckoutError;
  }
  return expect.unreachable('The options were accepted.');
}

/** How many times a call is sent to a failing service, and the pauses between the attempts. */
async function sendsOf(options: TestClientOptions) {
  const respond = () => new Response('', { status: 503 });
  const { payments, sent, pauses } = clientOf(respond, { random: () => 1, ...options });
  await payments.verify('ord_1').catch(() => {});
  return { sent: sent.length, pauses };
}

describe('createPaymentsClient', () => {
  it.each<[string, object]>([
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: '15000' }],
    ['timeoutMs', { timeoutMs: 2 ** 31 }],
    ['maxRetries', { maxRetries: -1 }],
    ['maxRetries', { maxRetries: 1e9 }],
    ['retries', { retries: 1 }],
    ['fetch', { fetch: 'https://proxy.example' }],
    ['now', { now: 0 }],
    ['apiSecret', { apiSecret: undefined }],
    ['apiSecret', { apiSecret: '' }],
    ['apiSecret', { apiSecret: [] }],
    ['apiSecret.1', { apiSecret: ['sk_test_1', ''] }],
    ['apiSecret', { apiSecret: ['sk_test_1', 7] }],
    ['authToken', { authToken: '' }],
    ['authToken', { authToken: 'auth token' }],
    ['dialect', { dialect: 'minor' }],
    ['dialect', { dialect: { amountUnit: 'major' } }],
    ['dialect', { dialect: { amountUnit: 'pk_test_1' } }],
    ...['pk_test_1\n', 'pk_test_1\r\nx: y', 'pk test', 'pk_test_\u2019', '', 12].map(
      (apiKey): [string, object] => ['apiKey', { apiKey }],
    ),
    ...[
      ...[
        'https://user:pass@service.example',
        'https://:pass@service.example',
        'https://user@service.example',
      ],
      ...['https://service.example/?', 'https://service.example/?a=1', 'https://service.example/#'],
      ...['https://service.example/service#top', 'ftp://service.example', 'not a url', 'javascript:alert(1)'],
    ].map((baseUrl): [string, object] => ['baseUrl', { baseUrl }]),
  ])('refuses a wrong or unknown %s, without quoting it: %j', (name, options) => {
    const error = refusalOf(options);
    expect(error).toBeInstanceOf(CheckoutError);
    expect(error).toMatchObject({ code: 'invalid_options', message: expect.stringContaining(`${name}:`) });
    expect(inspect(error, { depth: 9 })).not.toMatch(/pk.test|:pass/);
  });

  it.each(['http://api.payments.ng', 'http://localhost:4010', 'http://payments.test/service', 'HTTP://x.ng'])(
    'refuses the baseUrl %s in live mode: anybody on the way could change the account to pay into',
    (baseUrl) => {
      const { code, message } = refusalOf({ baseUrl, liveMode: true });
      expect([code, message]).toEqual(['invalid_options', expect.stringMatching(/baseUrl: .*https/)]);
      expect(() => createPaymentsClient({ ...base, baseUrl, liveMode: false })).not.toThrow();
    },
  );

  it('is of test mode at an http address, unless it says otherwise', () => {
    const { liveMode, canBeLive } = createPaymentsClient({ ...base, baseUrl: 'http://api.payments.ng' });
    expect([liveMode, canBeLive]).toEqual([false, false]);
    const { canBeLive: overHttps } = createPaymentsClient({ ...base, baseUrl: 'https://api.payments.ng' });
    expect(overHttps).toBe(true);
  });

  it('exposes its dialect, frozen', () => {
    const { dialect } = createPaymentsClient({ ...base, dialect: createDialect({ amountUnit: 'major' }) });
    expect(dialect).toMatchObject({ amountUnit: 'major', timestampToleranceSeconds: 300 });
    for (const one of [dialect, defaultDialect]) expect(Object.isFrozen(one)).toBe(true);
  });

  it.each(strayKeys('0a1b2c3d4e5f'))(
    'refuses a key with %s by its name, without quoting it',
    (_what, key) => {
      for (const name of ['apiKey', 'apiSecret', 'authToken']) {
        const error = refusalOf({ [name]: key });
        expect(error.message).toContain(`${name}: `);
        expect(inspect(error, { depth: 9 })).not.toContain('0a1b2c3d4e5f');
      }
      expect(refusalOf({ apiSecret: ['sk_test_1', key] }).message).toContain('apiSecret.1: ');
    },
  );

  it('reads a baseUrl in linear time', async () => {
    const baseUrl = `https://service.example${'/'.repeat(100_000)}a`;
    expect(await cpuMsOf(() => createPaymentsClient({ ...base, baseUrl }))).toBeLessThan(1000);
  });

  it('treats undefined options as missing', async () => {
    const options = { dialect: undefined, apiKey: undefined, maxRetries: undefined, timeoutMs: undefined };
    expect(await sendsOf(options)).toEqual({ sent: 4, pauses: [250, 500, 1000] });
  });

  it('pauses longer from retry to retry, up to four seconds', async () => {
    const { pauses } = await sendsOf({ maxRetries: 6 });
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 4000]);
  });
});

describe('a refusal with a very different Date', () => {
  const skewed = (status: number) =>
    Response.json({}, { status, headers: { date: new Date(Date.UTC(2030, 0)).toUTCString() } });

  const now = () => Date.UTC(2026, 2, 1);

  it.each([
    [401, 2],
    [400, 1],
    [403, 1],
    [404, 1],
  ])('is retried only with status 401: %i is sent %i times', async (status, expected) => {
    const { payments, sent } = clientOf(() => skewed(status), { now });
    await payments.verify('ord_1').catch(() => {});
    expect(sent).toHaveLength(expected);
  });

  it('is not retried because another call has set the clock', async () => {
    const { payments, sent } = clientOf(
      async (url) => {
        if (url.includes('other')) return skewed(401);
        await payments.verify('other').catch(() => {});
        return new Response('{}', { status: 400 });
      },
      { now },
    );
    await payments.verify('ord_1').catch(() => {});
    expect(sent.filter((url) => url.includes('ord_1'))).toHaveLength(1);
  });
});

/** A client that was declared to be of one mode, and a service that returns this. */
const clientIn = (liveMode: boolean | undefined, body: object, baseUrl = 'https://service.example') =>
  clientOf(() => Response.json(body), { liveMode, baseUrl });
const refusal = { code: 'invalid_options', message: expect.stringMatching(/apiKey and apiSecret/) };

it.each([true, false])(
  'a client that was declared with liveMode: %s takes records of its own mode alone, also in a list, and names the keys',
  async (declared) => {
    const [own, other] = [{ liveMode: declared }, { liveMode: !declared }];
    const initiate = (mode: boolean | undefined, record: object) =>
      clientIn(mode, { ...initiation, ...record }).payments.initiate(initiationRequest);
    for (const mode of [declared, undefined]) expect(await initiate(mode, own)).toMatchObject(own);
    await expect(initiate(declared, other)).rejects.toMatchObject(refusal);
    const { payments } = clientIn(declared, { ...payment, ...other });
    await expect(payments.verify('ord_1')).rejects.toMatchObject(refusal);
    const data = [own, other].map((one) => ({ id: 'txr_1', ...one }));
    const list = listTaxRates(clientIn(declared, { hasMore: false, data }).client);
    await expect(list).rejects.toMatchObject(refusal);
  },
);

it('a client of no declared mode takes no live record over http', async () => {
  const { payments } = clientIn(undefined, { ...initiation, liveMode: true }, 'http://service.example');
  const overHttp = { code: 'invalid_options', message: expect.stringContaining('https baseUrl') };
  await expect(payments.initiate(initiationRequest)).rejects.toMatchObject(overHttp);
});
