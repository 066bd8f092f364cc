import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DialectChoices } from '../../../../../server-kit/service/dialect.ts';
import { maxLoggedRequests } from '../../../../../server-kit/tools/sandbox/http/request-log.ts';
import {
  call,
  controlCall,
  expectRefusal,
  goodBody,
  initiate,
  newSandbox,
  origin,
  read,
  startMs,
  verify,
} from '../sandbox-kit.ts';

describe('GET /_sandbox/requests', () => {
  it('records a request and its response', async () => {
    const sandbox = newSandbox({ basePath: '/service' });
    const { headers } = await call(sandbox, '/v1/payments', { body: goodBody, basePath: '/service' });
    const [entry] = sandbox.control.listRequests();
    expect(entry).toEqual({
      id: 'req_1',
      at: '2026-01-02T09:30:00.000Z',
      method: 'POST',
      path: '/service/v1/payments',
      query: '',
      operation: 'payments.initiate',
      status: 200,
      durationMs: 0,
      requestHeaders: {
        'content-type': 'application/json',
        'request-signature': expect.stringMatching(/^[0-9a-f]{128}$/),
        'request-timestamp': String(startMs / 1000),
      },
      requestBody: expect.stringContaining('"reference":"ord_1001"'),
      responseBody: expect.stringContaining('"accountNumber":"'),
      error: null,
      fault: null,
      signature: null,
    });
    expect(headers.get('date')).toBe('Fri, 02 Jan 2026 09:30:00 GMT');
  });

  it('returns the same list over HTTP, newest first, without its own request', async () => {
    const sandbox = newSandbox();
    await initiate(sandbox);
    await verify(sandbox);
    await controlCall(sandbox, '/_sandbox/payments');
    await controlCall(sandbox, '/_sandbox/payments/v1', { status: 'failed' });
    await controlCall(sandbox, '/_sandbox/requests');
    const { body } = await controlCall(sandbox, '/_sandbox/requests');
    expect(body.data).toEqual(JSON.parse(JSON.stringify(sandbox.control.listRequests())));
    expect(body.data).toMatchObject([{ operation: 'payments.verify' }, { operation: 'payments.initiate' }]);
  });

  it('redacts the access token, the API key, client secrets and cookies', async () => {
    const sandbox = newSandbox();
    await initiate(sandbox);
    const secrets = { cookie: 'a=secret', 'checkout-secret': 'cs_test_1' };
    const headers = { authorization: 'Bearer pk_test_sandbox', ...secrets };
    const { body } = await call(sandbox, '/v1/payments/ord_1001/verify', { headers });
    expect(body.accessToken).toMatch(/^tok_/);
    await call(sandbox, '/v1/payments/x/verify', { headers: { authorization: 'sk_test_sandbox' } });
    const [second, first] = sandbox.control.listRequests();
    expect(first?.requestHeaders).toMatchObject({ authorization: 'Bearer [redacted]', cookie: '[redacted]' });
    expect(second?.requestHeaders.authorization).toBe('[redacted]');
    expect(JSON.stringify([first, second])).not.toMatch(/tok_|pk_test|sk_test|cs_test|a=secret/);
  });

  it('keeps the last 500 requests and 10,000 characters of each body', async () => {
    const sandbox = newSandbox();
    for (let index = 0; index < maxLoggedRequests; index++) await sandbox.fetch(`${origin}/v1/${index}`);
    await initiate(sandbox, { metadata: { long: 'x'.repeat(30_000) } });
    const entries = sandbox.control.listRequests();
    expect(entries).toHaveLength(500);
    expect(entries.at(-1)?.path).toBe('/v1/1');
    expect([entries[0]?.requestBody?.length, entries[0]?.responseBody?.length]).toEqual([10_000, 10_000]);
  });

  it('measures durations by the machine’s clock and times by the sandbox’s', async () => {
    let nowMs = startMs;
    const sandbox = newSandbox({ now: () => nowMs++ });
    sandbox.control.setClock({ set: '2026-05-05T00:00:00.000Z', frozen: true });
    await sandbox.fetch(`${origin}/v1/none`);
    const [entry] = sandbox.control.listRequests();
    expect(entry?.at).toBe('2026-05-05T00:00:00.000Z');
    expect(entry?.durationMs).toBeGreaterThan(0);
  });
});

const timestamp = String(startMs / 1000);
const old = String(startMs / 1000 - 3600);
const secret = 'sk_test_sandbox';
const hmac = (text: string, key = secret): string => createHmac('sha512', key).update(text).digest('hex');

/** Keys not sorted, outside and inside; slashes and letters that some writers escape. */
const sent = '{"z":1,"metadata":{"b":"Ẹ/x","a":[1,2]},"reference":"r"}';
const canonical = '{"metadata":{"a":[1,2],"b":"Ẹ/x"},"reference":"r","z":1}';

type Case = { method?: string; path?: string; body?: string; timestamp?: string; dialect?: DialectChoices };

/** Returns the diagnosis of a request with this signature. */
async function diagnose(signature: string, given: Case = {}) {
  const sandbox = newSandbox({ basePath: '/service', ...(given.dialect && { dialect: given.dialect }) });
  const body = given.method === 'GET' ? undefined : (given.body ?? sent);
  const headers = {
    'content-type': 'application/json',
    'request-signature': signature,
    'request-timestamp': given.timestamp ?? timestamp,
  };
  const init = { method: given.method ?? 'POST', headers, ...(body !== undefined && { body }) };
  const response = await read(await sandbox.fetch(`${origin}/service${given.path ?? '/v1/payments'}`, init));
  const [entry] = sandbox.control.listRequests();
  return { response, diagnosis: entry?.signature };
}

const get = { method: 'GET', path: '/v1/payments/ORD_1/verify' } as const;
const getPath = '/v1/payments/ord_1/verify';
const post = '/v1/payments';
const list = { method: 'GET', path: '/v1/payouts?limit=5' };
const exact = { ...get, dialect: { signedPath: 'exact' } } as const;
const emptyObject = { ...get, dialect: { bodyHashWithoutBody: 'emptyObject' } } as const;
const signedWith = (key: string): string => hmac(post + hmac(canonical, key) + timestamp, key);

/** The sender's mistake, the signature computed independently of the sandbox, and the hint. */
const cases: readonly [string, string, RegExp, Case?][] = [
  ['path not lower-cased', hmac(`/v1/payments/ORD_1/verify${timestamp}`), /lower-case it first/, get],
  ['path lower-cased where it is signed as sent', hmac(getPath + timestamp), /sign it as it is sent/, exact],
  ['query included', hmac(`/v1/payouts?limit=5${timestamp}`), /query string was signed/, list],
  ['base path included', hmac(`/service${post}${hmac(canonical)}${timestamp}`), /begin at \/v1/],
  ['whole URL', hmac(`${origin}/service${post}${hmac(canonical)}${timestamp}`), /whole URL/],
  ['host included', hmac(`service.example/service${post}${hmac(canonical)}${timestamp}`), /host was signed/],
  ['/v1 left out', hmac(`/payments${hmac(canonical)}${timestamp}`), /without \/v1/],
  ['slash added', hmac(`${post}/${hmac(canonical)}${timestamp}`), /slash that was not sent/],
  ['keys not sorted', hmac(post + hmac(sent) + timestamp), /sort its keys at every depth/],
  ['body hash missing', hmac(post + timestamp), /body hash was left out/],
  ['body in place of its hash', hmac(post + canonical + timestamp), /sign its hash instead/],
  ['hash of {} for a GET', hmac(getPath + hmac('{}') + timestamp), /hash of \{\} was signed/, get],
  ['hash of nothing for a GET', hmac(getPath + hmac('') + timestamp), /hash of an empty text/, get],
  ['no hash for a GET where {} is hashed', hmac(getPath + timestamp), /body hash was left out/, emptyObject],
  ['base64', Buffer.from(hmac(post + hmac(canonical) + timestamp), 'hex').toString('base64'), /in base64/],
  ['upper-case hex', hmac(post + hmac(canonical) + timestamp).toUpperCase(), /upper case/],
  ['API key as secret', signedWith('pk_test_sandbox'), /API key was used/],
  ['auth token as secret', signedWith('auth_test_sandbox'), /auth token was used/],
  ['timestamp missing', hmac(post + hmac(canonical)), /timestamp was left out/],
  ['milliseconds signed', hmac(`${post}${hmac(canonical)}${timestamp}000`), /signed in milliseconds/],
  [
    'milliseconds sent and signed',
    hmac(`${post}${hmac(canonical)}${timestamp}123`),
    /timestamp is in milliseconds/,
    { timestamp: `${timestamp}123` },
  ],
  ['an old timestamp', hmac(post + hmac(canonical) + old), /^The signature is right/, { timestamp: old }],
];

describe('the diagnosis of a refused signature', () => {
  it.each(cases)('finds the mistake: %s', async (_name, signature, hint, given) => {
    const { response, diagnosis } = await diagnose(signature, given);
    expect(response.status).toBe(401);
    expect(diagnosis?.hints).toEqual([expect.stringMatching(hint)]);
  });

  it('shows the correct steps for the request', async () => {
    const { response, diagnosis } = await diagnose('0'.repeat(128));
    const bodyHash = hmac(canonical);
    const signedText = post + bodyHash + timestamp;
    expect(diagnosis).toEqual({
      received: { signature: '0'.repeat(128), timestamp },
      expected: { canonicalBody: canonical, bodyHash, signedText, signature: hmac(signedText) },
      hints: [expect.stringMatching(/^No common mistake/)],
    });
    expect(response.body.error.message).toContain(
      'Compare with GET /service/_sandbox/requests (or the panel).',
    );
  });

  it('replaces a refused timestamp by the sandbox’s time', async () => {
    const { diagnosis } = await diagnose('x', { timestamp: 'now' });
    expect(diagnosis?.received.timestamp).toBe('now');
    expect(diagnosis?.expected.signedText).toMatch(new RegExp(`${timestamp}$`));
  });

  it.each([
    ['no JSON', '{nope'],
    ['nested too deeply', `${'['.repeat(200)}${']'.repeat(200)}`],
    ['with the key __proto__', '{"__proto__":1}'],
  ])('does not hide the refusal of a body that cannot be hashed: %s', async (_name, body) => {
    const old = await diagnose('0'.repeat(128), { body, timestamp: '1000000000' });
    expectRefusal(old.response, 401, 'request_timestamp_out_of_tolerance');
    const unsigned = await diagnose('', { body });
    expectRefusal(unsigned.response, 401, 'request_signature_missing');
    expect(unsigned.diagnosis).toBeNull();
  });
});
