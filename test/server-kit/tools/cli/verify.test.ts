import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../../server-kit/core/signature.ts';
import { serverNow } from '../../kit/fault-server.ts';
import { vectors } from '../../kit/vectors.ts';
import { rowOf, runCli, runJson } from './cli-kit.ts';

const path = '/v1/payments';
const body = '{"b":1,"a":2}';
const url = 'https://shop.example/callbacks';
const callback = '{"event":"payment.succeeded","data":{"id":"pay_1"}}';
const later = String(serverNow / 1000 + 301);

const signed = async (kind: 'request' | 'callback', at: string): Promise<string> => {
  const args = kind === 'request' ? ['--path', at, '--body', body] : ['--url', at, '--body', callback];
  return (await runJson(['sign', kind, ...args])).signature;
};
const received = (signature: string, more: string[]) =>
  ['--signature', signature, '--timestamp', toTimestamp(serverNow)].concat(more);
const request = (signature: string, more: string[] = [], given = body) =>
  ['verify', 'request', '--path', path, '--body', given].concat(received(signature, more));
const callbackWith = (signature: string, more: string[] = [], given = callback) =>
  ['verify', 'callback', '--url', url, '--body', given].concat(received(signature, more));

describe('verify request', () => {
  it.each(vectors.requests)('accepts what the service accepts: $name', async (vector) => {
    const { timestamp, signature, secret, path } = vector;
    const given = vector.body === null ? [] : ['--body', JSON.stringify(vector.body)];
    const args = `verify request --path ${path} --signature ${signature} --timestamp ${timestamp} --at ${timestamp}`;
    const env = { PAYMENTS_API_SECRET: secret };
    const { code, stdout, stderr } = await runCli([...args.split(' '), ...given], { env });
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringMatching(/\nValid\.\n$/)]);
  });

  it('shows found and expected values and exits with 1', async () => {
    const signature = await signed('request', path);
    const { code, stdout, stderr } = await runCli(request(signature, [], '{"a":2,"b":2}'));
    expect([code, rowOf(stdout, 'signature found')]).toEqual([1, signature]);
    expect(rowOf(stdout, 'body found')).toBe('{"a":2,"b":2}');
    expect(rowOf(stdout, 'signature expected')).toMatch(/^[\da-f]{128}$/);
    expect(stdout).toContain('Not valid: signature_mismatch.');
    expect(stderr).toContain('error: Request-Signature does not match');
  });

  it('finds a common mistake', async () => {
    const verdict = await runJson(request(await signed('request', `${path}/`)));
    expect(verdict).toMatchObject({ valid: false, reason: 'signature_mismatch' });
    expect(verdict.hints).toEqual([expect.stringMatching(/slash/)]);
  });

  it('shows the age of a timestamp and finds no other mistake', async () => {
    const { code, stdout, stderr } = await runCli(request(await signed('request', path), ['--at', later]));
    expect([code, rowOf(stdout, 'timestamp expected')]).toEqual([1, `within 300 s of ${later}`]);
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
    const { callbackUrl, rawBody, signature, timestamp, secret } = vector;
    const args = ['--url', callbackUrl, '--body', rawBody, '--signature', signature];
    args.push('--timestamp', timestamp, '--at', timestamp);
    const verdict = await runJson(['verify', 'callback', ...args], { env: { PAYMENTS_API_SECRET: secret } });
    expect(verdict).toMatchObject({ valid: true, reason: null });
    // A valid signature in another form comes with a hint.
    expect(verdict.hints).toHaveLength(Number(verdict.expected.signature !== signature));
  });

  it.each([
    ['a slash at the end', `${url}/`, [], 'The registered URL differs in its final slash.'],
    ['http', url.replace('s:', ':'), [], 'The registered URL differs in its scheme: http or https.'],
    ["the sandbox's secret", url, ['--secret', 'mine'], "It is signed with the sandbox's own secret"],
    ['another path', `${url}x`, [], 'Compare URL, data hash and signed text with yours'],
  ])('finds a common mistake: %s', async (_name, signedUrl, more, hint) => {
    const { code, stdout } = await runCli(callbackWith(await signed('callback', signedUrl), more));
    expect([code, stdout]).toEqual([1, expect.stringContaining(hint)]);
  });

  it('refuses a callback without data', async () => {
    const args = callbackWith(await signed('callback', url), ['--json'], '{"event":"payment.succeeded"}');
    const { code, stdout } = await runCli(args);
    expect([code, JSON.parse(stdout).reason]).toEqual([1, 'body_malformed']);
  });
});
