import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DialectChoices } from '../../../../../server-kit/client/api/dialect.ts';
import type { LoggedRequest } from '../../../../../server-kit/tools/sandbox/index.ts';
import { cpuMsOf } from '../../../kit/cpu-time.ts';
import { call, goodBody, newSandbox, origin, read, startMs } from '../sandbox-kit.ts';

const timestamp = String(startMs / 1000);
const secret = 'sk_test_sandbox';
const hmac = (text: string, key = secret, algorithm = 'sha512'): string =>
  createHmac(algorithm, key).update(text).digest('hex');
const sha512 = (text: string): string => createHash('sha512').update(text).digest('hex');

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
  const current = () => sandbox.control.listRequests()[0]?.signature;
  return { response, diagnosis: entry?.signature, current };
}

const get = { method: 'GET', path: '/v1/payments/ORD_1/verify' } as const;
const getPath = '/v1/payments/ord_1/verify';
const post = '/v1/payments';

/** The sender's mistake, the signature computed independently of the sandbox, and the hint. */
const cases: readonly [string, string, RegExp, Case?][] = [
  ['path not lower-cased', hmac(`/v1/payments/ORD_1/verify${timestamp}`), /lower-case it first/, get],
  [
    'path lower-cased where it is signed as sent',
    hmac(getPath + timestamp),
    /sign it as it is sent/,
    { ...get, dialect: { signedPath: 'exact' } },
  ],
  [
    'query included',
    hmac(`/v1/payouts?limit=5${timestamp}`),
    /query string was signed/,
    { method: 'GET', path: '/v1/payouts?limit=5' },
  ],
  ['base path included', hmac(`/service${post}${hmac(canonical)}${timestamp}`), /begin at \/v1/],
  ['whole URL', hmac(`${origin}/service${post}${hmac(canonical)}${timestamp}`), /whole URL/],
  ['host included', hmac(`service.example/service${post}${hmac(canonical)}${timestamp}`), /host was signed/],
  ['/v1 left out', hmac(`/payments${hmac(canonical)}${timestamp}`), /without \/v1/],
  ['first slash left out', hmac(`v1/payments${hmac(canonical)}${timestamp}`), /without its first slash/],
  ['slash added', hmac(`${post}/${hmac(canonical)}${timestamp}`), /slash that was not sent/],
  ['method included', hmac(`POST${post}${hmac(canonical)}${timestamp}`), /method was signed/],
  [
    'numbers as another language writes them',
    hmac(`${post}${hmac('{"a":"1.0","amount":{"value":100.0},"z":9007199254740993}')}${timestamp}`),
    /as another language writes it; .*100 for 100\.0/,
    { body: '{"z":9007199254740993,"a":"1.0","amount":{"value":100.0}}' },
  ],
  [
    'numbers as another language writes them, in a body with sorted keys',
    hmac(`${post}${hmac('{"value":[-1e2,100.50]}')}${timestamp}`),
    /as another language writes it/,
    { body: '{"value":[-1e2,100.50]}' },
  ],
  ['keys not sorted', hmac(post + hmac(sent) + timestamp), /sort its keys at every depth/],
  [
    'outermost keys sorted only',
    hmac(`${post}${hmac('{"metadata":{"b":"Ẹ/x","a":[1,2]},"reference":"r","z":1}')}${timestamp}`),
    /Only the outermost keys/,
  ],
  ['body hash missing', hmac(post + timestamp), /body hash was left out/],
  ['body in place of its hash', hmac(post + canonical + timestamp), /sign its hash instead/],
  ['hash of {} for a GET', hmac(getPath + hmac('{}') + timestamp), /hash of \{\} was signed/, get],
  ['hash of nothing for a GET', hmac(getPath + hmac('') + timestamp), /hash of an empty text/, get],
  [
    'no hash for a GET where {} is hashed',
    hmac(getPath + timestamp),
    /body hash was left out/,
    { ...get, dialect: { bodyHashWithoutBody: 'emptyObject' } },
  ],
  [
    'other text hashed than is canonical: spaces',
    hmac(`${post}${hmac('{"metadata": {"a": [1, 2], "b": "Ẹ/x"}, "reference": "r", "z": 1}')}${timestamp}`),
    /Spaces were hashed/,
  ],
  ['escapes for letters', hmac(post + hmac(canonical.replace('Ẹ', '\\u1eb8')) + timestamp), /\\u escapes/],
  ['escapes for slashes', hmac(post + hmac(canonical.replace('/', '\\/')) + timestamp), /Slashes/],
  ['plain SHA-512 of the body', hmac(post + sha512(canonical) + timestamp), /body hash is a plain SHA-512/],
  ['plain SHA-512 of the text', sha512(post + hmac(canonical) + timestamp), /signature is a plain SHA-512/],
  ['plain SHA-512 of both', sha512(post + sha512(canonical) + timestamp), /signature are plain SHA-512/],
  [
    'HMAC-SHA-256 for both',
    hmac(post + hmac(canonical, secret, 'sha256') + timestamp, secret, 'sha256'),
    /signature are HMAC-SHA-256/,
  ],
  [
    'HMAC-SHA-256 of the text',
    hmac(post + hmac(canonical) + timestamp, secret, 'sha256'),
    /The signature is HMAC-SHA-256/,
  ],
  [
    'HMAC-SHA-256 of the body',
    hmac(post + hmac(canonical, secret, 'sha256') + timestamp),
    /The body hash is HMAC-SHA-256/,
  ],
  [
    'base64',
    Buffer.from(hmac(post + hmac(canonical) + timestamp), 'hex').toString('base64'),
    /signature is in base64/,
  ],
  [
    'base64 of the body hash',
    hmac(post + Buffer.from(hmac(canonical), 'hex').toString('base64') + timestamp),
    /body hash is in base64/,
  ],
  ['upper-case hex', hmac(post + hmac(canonical) + timestamp).toUpperCase(), /signature is in upper case/],
  [
    'upper-case body hash',
    hmac(post + hmac(canonical).toUpperCase() + timestamp),
    /body hash is in upper case/,
  ],
  [
    'API key as secret',
    hmac(post + hmac(canonical, 'pk_test_sandbox') + timestamp, 'pk_test_sandbox'),
    /API key was used/,
  ],
  [
    'auth token as secret',
    hmac(post + hmac(canonical, 'auth_test_sandbox') + timestamp, 'auth_test_sandbox'),
    /auth token was used/,
  ],
  [
    'secret with a line end',
    hmac(post + hmac(canonical, `${secret}\n`) + timestamp, `${secret}\n`),
    /ends with a line break/,
  ],
  [
    'secret with quotation marks',
    hmac(post + hmac(canonical, `"${secret}"`) + timestamp, `"${secret}"`),
    /quotation marks/,
  ],
  ['line ends between', hmac([post, hmac(canonical), timestamp].join('\n')), /line break is between/],
  ['full stops between', hmac([post, hmac(canonical), timestamp].join('.')), /full stop is between/],
  ['colons between, no body', hmac([getPath, timestamp].join(':')), /colon is between/, get],
  ['timestamp missing', hmac(post + hmac(canonical)), /timestamp was left out/],
  ['timestamp first', hmac(timestamp + post + hmac(canonical)), /timestamp is first/],
  ['timestamp before the hash', hmac(post + timestamp + hmac(canonical)), /before the body hash/],
  ['hash first', hmac(hmac(canonical) + post + timestamp), /body hash is first/],
  ['milliseconds signed', hmac(`${post}${hmac(canonical)}${timestamp}000`), /signed in milliseconds/],
  [
    'milliseconds sent and signed',
    hmac(`${post}${hmac(canonical)}${timestamp}123`),
    /timestamp is in milliseconds/,
    { timestamp: `${timestamp}123` },
  ],
];

describe('the diagnosis of a refused signature', () => {
  it.each(cases)('finds the mistake: %s', async (_name, signature, hint, given) => {
    const { response, diagnosis } = await diagnose(signature, given);
    expect(response.status).toBe(401);
    expect(diagnosis?.hints).toEqual([expect.stringMatching(hint)]);
  });

  it('finds two combined mistakes shortly after the response', async () => {
    const signature = createHmac('sha512', secret)
      .update([post, hmac(sent), timestamp].join('\n'))
      .digest('base64');
    const { diagnosis } = await diagnose(signature.replace(/=+$/, ''));
    expect(diagnosis?.hints.join()).toMatch(/base64/);
    const twice = hmac([`POST${post}`, hmac(sent), timestamp].join(''));
    const { diagnosis: atFirst, current } = await diagnose(twice);
    expect(atFirst?.hints).toEqual([expect.stringMatching(/^No common mistake/)]);
    await expect
      .poll(() => current()?.hints)
      .toEqual([expect.stringMatching(/method was signed/), expect.stringMatching(/sort its keys/)]);
  });

  it('is reported with the request, also when it takes longer than the response', async () => {
    const reported: LoggedRequest[] = [];
    const sandbox = newSandbox({ onRequest: (request) => reported.push(request) });
    const forge = (): string => hmac([`POST${post}`, hmac('{"b":1,"a":2}'), timestamp].join(''));
    await call(sandbox, post, { body: { b: 1, a: 2 }, sentText: '{"b":1,"a":2}', forge });
    expect(reported).toEqual([]);
    await expect.poll(() => reported[0]?.signature?.hints).toHaveLength(2);
  });

  it('delays no other request: of a hundred bad signatures, only some get the longer search', async () => {
    let reported = 0;
    const sandbox = newSandbox({ onRequest: () => void reported++ });
    const refuse = () => call(sandbox, post, { body: goodBody, forge: () => '0'.repeat(128) });
    const cpuMs = await cpuMsOf(async () => {
      for (let index = 0; index < 100; index++) expect((await refuse()).status).toBe(401);
    });
    expect(cpuMs).toBeLessThan(3000);
    expect(reported).toBeGreaterThanOrEqual(80);
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

  it.each([
    ['sha512=', `sha512=${'0'.repeat(128)}`, /text before the signature/],
    ['64 digits', '0'.repeat(64), /64 hex digits/],
    ['base64', `${'A'.repeat(86)}==`, /looks like base64/],
    ['anything', 'hello', /not 128 hex digits/],
  ])('recognizes a mistake by the form of the signature: %s', async (_name, signature, hint) => {
    const { diagnosis } = await diagnose(signature);
    expect(diagnosis?.hints[0]).toMatch(hint);
  });

  it('replaces a refused timestamp by the sandbox’s time', async () => {
    const { diagnosis } = await diagnose('x', { timestamp: 'now' });
    expect(diagnosis?.received.timestamp).toBe('now');
    expect(diagnosis?.expected.signedText).toMatch(new RegExp(`${timestamp}$`));
  });

  it('says when only the timestamp was refused', async () => {
    const old = String(startMs / 1000 - 3600);
    const { diagnosis } = await diagnose(hmac(post + hmac(canonical) + old), { timestamp: old });
    expect(diagnosis?.hints).toEqual([expect.stringMatching(/^The signature is right/)]);
  });

  it('has no hints without a signature', async () => {
    const { diagnosis } = await diagnose('');
    expect(diagnosis).toMatchObject({ received: { signature: '' }, hints: [] });
  });

  it('is absent when another check fails', async () => {
    const sandbox = newSandbox();
    await call(sandbox, post, { body: goodBody, headers: { authorization: 'Bearer none' } });
    await call(sandbox, post, { body: {} });
    await call(sandbox, post, { sentText: '{"a":1', body: {} });
    expect(sandbox.control.listRequests().map(({ status, signature }) => [status, signature])).toEqual([
      [400, null],
      [422, null],
      [401, null],
    ]);
  });

  it.each(['null', '5', '[1]', '"a"', '{}'])('works for a body that is %s', async (body) => {
    const { response, diagnosis } = await diagnose('0'.repeat(128), { body });
    expect([response.status, diagnosis?.expected.canonicalBody]).toEqual([401, body]);
  });

  it.each([
    ['no JSON', '{nope'],
    ['nested too deeply', `${'['.repeat(200)}${']'.repeat(200)}`],
    ['with the key __proto__', '{"__proto__":1}'],
  ])('does not hide the refusal of a body that cannot be hashed: %s', async (_name, body) => {
    const old = await diagnose('0'.repeat(128), { body, timestamp: '1000000000' });
    expect([old.response.status, old.response.body.error.code]).toEqual([
      401,
      'request_timestamp_out_of_tolerance',
    ]);
    const unsigned = await diagnose('', { body });
    expect([unsigned.response.status, unsigned.response.body.error.code]).toEqual([
      401,
      'request_signature_missing',
    ]);
    expect(unsigned.diagnosis).toBeNull();
  });

  it('works for a body of nearly 1 MB', async () => {
    const { response, diagnosis } = await diagnose('0'.repeat(128), {
      body: `{"a":"${'x'.repeat(999_000)}"}`,
    });
    expect(response.status).toBe(401);
    expect(diagnosis?.hints).toHaveLength(1);
  });
});
