import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../../server-kit/client/signing/signature.ts';
import { serverNow } from '../../kit/fault-server.ts';
import { vectors } from '../../kit/vectors.ts';
import { rowOf, runCli, runJson } from './cli-kit.ts';

const path = '/v1/payments';
const body = '{"b":1,"a":2}';
const url = 'https://shop.example/callbacks';
const callback = '{"event":"payment.succeeded","data":{"id":"pay_1"}}';
const timestamp = toTimestamp(serverNow);

const signedRequest = (more: readonly string[] = []): Promise<{ signature: string }> =>
  runJson(['sign', 'request', '--path', path, '--body', body, ...more]);
const signedCallback = (more: readonly string[] = []): Promise<{ signature: string }> =>
  runJson(['sign', 'callback', '--url', url, '--body', callback, ...more]);

const verifyRequestWith = (signature: string, more: readonly string[] = [], given = body) =>
  [
    'verify',
    'request',
    '--path',
    path,
    '--body',
    given,
    '--signature',
    signature,
    '--timestamp',
    timestamp,
  ].concat(more);
const verifyCallbackWith = (signature: string, more: readonly string[] = [], given = callback) =>
  [
    'verify',
    'callback',
    '--url',
    url,
    '--body',
    given,
    '--signature',
    signature,
    '--timestamp',
    timestamp,
  ].concat(more);

describe('verify request', () => {
  it.each(vectors.requests)('accepts what the service accepts: $name', async (vector) => {
    const given = vector.body === null ? [] : ['--body', JSON.stringify(vector.body)];
    const { code, stdout, stderr } = await runCli(
      ['verify', 'request', '--path', vector.path, '--signature', vector.signature].concat(
        ['--timestamp', vector.timestamp, '--at', vector.timestamp],
        given,
      ),
      { env: { PAYMENTS_API_SECRET: vector.secret } },
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\nValid\.\n$/);
  });

  it('shows found and expected values and exits with 1', async () => {
    const { signature } = await signedRequest();
    const { code, stdout, stderr } = await runCli(verifyRequestWith(signature, [], '{"a":2,"b":2}'));
    expect(code).toBe(1);
    expect(rowOf(stdout, 'body found')).toBe('{"a":2,"b":2}');
    expect(rowOf(stdout, 'signature found')).toBe(signature);
    expect(rowOf(stdout, 'signature expected')).toMatch(/^[\da-f]{128}$/);
    expect(rowOf(stdout, 'signature expected')).not.toBe(signature);
    expect(stdout).toContain('Not valid: signature_mismatch.');
    expect(stderr).toContain('error: Request-Signature does not match');
  });

  it('finds a common mistake', async () => {
    const { signature } = await runJson(['sign', 'request', '--path', `${path}/`, '--body', body]);
    const verdict = await runJson(verifyRequestWith(signature));
    expect(verdict).toMatchObject({
      valid: false,
      reason: 'signature_mismatch',
      hints: ['A slash that was not sent was signed after the path; leave it out.'],
    });
  });

  it('shows the age of a timestamp and finds no other mistake', async () => {
    const { signature } = await signedRequest();
    const at = String(serverNow / 1000 + 301);
    const { code, stdout, stderr } = await runCli(verifyRequestWith(signature, ['--at', at]));
    expect(code).toBe(1);
    expect(rowOf(stdout, 'timestamp expected')).toBe(`within 300 s of ${at}`);
    expect(stdout).toContain('The signature is right; the timestamp alone was refused.');
    expect(stderr).toContain('301 s old');
  });

  it.each([
    ['an empty signature', verifyRequestWith(''), 'signature_missing'],
    ['a body that is not JSON', verifyRequestWith('aa', [], '{'), 'body_malformed'],
    [
      'a timestamp of 13 digits',
      ['verify', 'request', '--path', path, '--signature', 'aa', '--timestamp', '1767346200000'],
      'timestamp_malformed',
    ],
  ])('refuses %s with its reason', async (_name, args, reason) => {
    const { code, stdout, stderr } = await runCli([...args, '--json']);
    expect([code, JSON.parse(stdout).reason]).toEqual([1, reason]);
    expect(JSON.parse(stderr).error.code).toBe(reason);
  });

  it('treats a missing signature and half a header as wrong usage', async () => {
    expect((await runCli(['verify', 'request', '--path', path, '--timestamp', timestamp])).code).toBe(2);
    expect((await runCli(verifyRequestWith('a\nb'))).code).toBe(2);
  });
});

describe('verify callback', () => {
  it.each(vectors.callbacks)('accepts what the service sends: $name', async (vector) => {
    const verdict = await runJson(
      ['verify', 'callback', '--url', vector.callbackUrl, '--body', vector.rawBody].concat(
        ['--signature', vector.signature],
        ['--timestamp', vector.timestamp, '--at', vector.timestamp],
      ),
      { env: { PAYMENTS_API_SECRET: vector.secret } },
    );
    expect(verdict).toMatchObject({ valid: true, reason: null });
    // A valid signature in another form comes with a hint.
    expect(verdict.hints).toHaveLength(Number(verdict.expected.signature !== vector.signature));
  });

  it.each([
    ['a slash at the end', ['--url', `${url}/`], [], 'The registered URL differs in its final slash.'],
    [
      'http',
      ['--url', url.replace('s:', ':')],
      [],
      'The registered URL differs in its scheme: http or https.',
    ],
    [
      "the sandbox's secret",
      [],
      ['--secret', 'mine'],
      "It is signed with the sandbox's own secret, which is not the secret here.",
    ],
    ['another path', ['--url', `${url}x`], [], 'Compare URL, data hash and signed text with yours'],
  ])('finds a common mistake: %s', async (_name, signedWith, verifiedWith, hint) => {
    const { signature } = await signedCallback(signedWith);
    const { code, stdout } = await runCli(verifyCallbackWith(signature, verifiedWith));
    expect(code).toBe(1);
    expect(stdout).toContain(hint);
  });

  it.each([
    ['other data', '{"event":"payment.succeeded","data":{"id":"pay_2"}}', 'signature_mismatch'],
    ['no data', '{"event":"payment.succeeded"}', 'body_malformed'],
  ])('refuses %s', async (_name, given, reason) => {
    const { signature } = await signedCallback();
    const { code, stdout } = await runCli(verifyCallbackWith(signature, ['--json'], given));
    expect([code, JSON.parse(stdout).reason]).toEqual([1, reason]);
  });

  it.each(['{', '[1]', '{"event":"x"}'])(
    'gives a verdict of %s too when its timestamp is old',
    async (given) => {
      const at = String(serverNow / 1000 + 301);
      const { code, stdout } = await runCli(verifyCallbackWith('aa', ['--at', at, '--json'], given));
      expect([code, JSON.parse(stdout)]).toMatchObject([
        1,
        { valid: false, reason: 'timestamp_out_of_tolerance', expected: null, hints: [] },
      ]);
    },
  );

  it('accepts another event, which is not signed', async () => {
    const { signature } = await signedCallback();
    const verdict = await runJson(verifyCallbackWith(signature, [], callback.replace('succeeded', 'failed')));
    expect(verdict.valid).toBe(true);
  });

  it('escapes control characters', async () => {
    const given = '{"event":"x","data":{"a":"\u009b2J\u202e"}}';
    const { stdout } = await runCli(verifyCallbackWith('aa', [], given));
    expect(rowOf(stdout, 'data')).toBe('{"a":"\\u009b2J\\u202e"}');
    const { stdout: json } = await runCli([...verifyCallbackWith('aa', [], given), '--json']);
    expect(json).toContain('\\u009b2J\\u202e');
    expect(JSON.parse(json)).toMatchObject(await runJson(verifyCallbackWith('aa', [], given)));
  });
});
