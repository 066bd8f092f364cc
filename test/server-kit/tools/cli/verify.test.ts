import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../../server-kit/core/signature.ts';
import { serverNow } from '../../kit/fault-server.ts';
import { vectors } from '../../kit/vectors.ts';
import { rowOf, runCli, runJson } from './cli-kit.ts';

const path = '/v1/payments';
const body = '{"b":1,"a":2}';
const url = 'https://shop.example/callbacks';
const callback = '{"event":"payment.succeeded","data":{"id":"pay_1"}}';
const timestamp = toTimestamp(serverNow);
const later = String(serverNow / 1000 + 301);

const signRequest = async (signed = path): Promise<string> =>
  (await runJson(['sign', 'request', '--path', signed, '--body', body])).signature;
const signCallback = async (signed = url): Promise<string> =>
  (await runJson(['sign', 'callback', '--url', signed, '--body', callback])).signature;

const received = (signature: string, given: string, more: readonly string[]) =>
  ['--signature', signature, '--timestamp', timestamp, '--body', given].concat(more);
const request = (signature: string, more: readonly string[] = [], given = body) =>
  ['verify', 'request', '--path', path].concat(received(signature, given, more));
const callbackWith = (signature: string, more: readonly string[] = [], given = callback) =>
  ['verify', 'callback', '--url', url].concat(received(signature, given, more));

describe('verify request', () => {
  it.each(vectors.requests)('accepts what the service accepts: $name', async (vector) => {
    const given = vector.body === null ? [] : ['--body', JSON.stringify(vector.body)];
    const args = ['verify', 'request', '--path', vector.path, '--signature', vector.signature].concat(
      ['--timestamp', vector.timestamp, '--at', vector.timestamp],
      given,
    );
    const { code, stdout, stderr } = await runCli(args, { env: { PAYMENTS_API_SECRET: vector.secret } });
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringMatching(/\nValid\.\n$/)]);
  });

  it('shows found and expected values and exits with 1', async () => {
    const signature = await signRequest();
    const { code, stdout, stderr } = await runCli(request(signature, [], '{"a":2,"b":2}'));
    expect(code).toBe(1);
    expect(rowOf(stdout, 'body found')).toBe('{"a":2,"b":2}');
    expect(rowOf(stdout, 'signature found')).toBe(signature);
    expect(rowOf(stdout, 'signature expected')).toMatch(/^[\da-f]{128}$/);
    expect(rowOf(stdout, 'signature expected')).not.toBe(signature);
    expect(stdout).toContain('Not valid: signature_mismatch.');
    expect(stderr).toContain('error: Request-Signature does not match');
  });

  it('finds a common mistake', async () => {
    const verdict = await runJson(request(await signRequest(`${path}/`)));
    expect(verdict).toMatchObject({ valid: false, reason: 'signature_mismatch' });
    expect(verdict.hints).toEqual([expect.stringMatching(/slash/)]);
  });

  it('shows the age of a timestamp and finds no other mistake', async () => {
    const { code, stdout, stderr } = await runCli(request(await signRequest(), ['--at', later]));
    expect(code).toBe(1);
    expect(rowOf(stdout, 'timestamp expected')).toBe(`within 300 s of ${later}`);
    expect(stdout).toContain('The signature is right; the timestamp alone was refused.');
    expect(stderr).toContain('301 s old');
  });

  it.each([
    ['an empty signature', request(''), 'signature_missing'],
    ['a body that is not JSON', request('aa', [], '{'), 'body_malformed'],
    ['a timestamp of 13 digits', request('aa', ['--timestamp', '1767346200000']), 'timestamp_malformed'],
  ])('refuses %s with its reason', async (_name, args, reason) => {
    const { code, stdout, stderr } = await runCli([...args, '--json']);
    expect([code, JSON.parse(stdout).reason]).toEqual([1, reason]);
    expect(JSON.parse(stderr).error.code).toBe(reason);
  });
});

describe('verify callback', () => {
  it.each(vectors.callbacks)('accepts what the service sends: $name', async (vector) => {
    const args = ['verify', 'callback', '--url', vector.callbackUrl, '--body', vector.rawBody].concat(
      ['--signature', vector.signature],
      ['--timestamp', vector.timestamp, '--at', vector.timestamp],
    );
    const verdict = await runJson(args, { env: { PAYMENTS_API_SECRET: vector.secret } });
    expect(verdict).toMatchObject({ valid: true, reason: null });
    // A valid signature in another form comes with a hint.
    expect(verdict.hints).toHaveLength(Number(verdict.expected.signature !== vector.signature));
  });

  it.each([
    ['a slash at the end', `${url}/`, [], 'The registered URL differs in its final slash.'],
    ['http', url.replace('s:', ':'), [], 'The registered URL differs in its scheme: http or https.'],
    ["the sandbox's secret", url, ['--secret', 'mine'], "It is signed with the sandbox's own secret"],
    ['another path', `${url}x`, [], 'Compare URL, data hash and signed text with yours'],
  ])('finds a common mistake: %s', async (_name, signed, verifiedWith, hint) => {
    const { code, stdout } = await runCli(callbackWith(await signCallback(signed), verifiedWith));
    expect([code, stdout]).toEqual([1, expect.stringContaining(hint)]);
  });

  it.each([
    ['other data', '{"event":"payment.succeeded","data":{"id":"pay_2"}}', 'signature_mismatch'],
    ['no data', '{"event":"payment.succeeded"}', 'body_malformed'],
  ])('refuses %s', async (_name, given, reason) => {
    const { code, stdout } = await runCli(callbackWith(await signCallback(), ['--json'], given));
    expect([code, JSON.parse(stdout).reason]).toEqual([1, reason]);
  });
});
