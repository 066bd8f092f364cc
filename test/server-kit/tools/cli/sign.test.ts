import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { respondJson, startFaultServer } from '../../kit/fault-server.ts';
import { strayKeys } from '../../kit/stray-keys.ts';
import { type CallbackVector, type RequestVector, vectors } from '../../kit/vectors.ts';
import { newFile, rowOf, runCli, runJson, stdinOf } from './cli-kit.ts';

const request = 'sign request --path /v1/payments';
const callback = 'sign callback --url https://shop.example/callbacks';

describe('sign request', () => {
  it('signs as the service does, and prints every step', async () => {
    const vector = vectors.requests.find(({ body }) => body !== null) as RequestVector;
    const { path, timestamp, body, canonicalBody, bodyHash, signature, secret } = vector;
    const args = ['--path', path, '--timestamp', timestamp, '--body', JSON.stringify(body)];
    const env = { PAYMENTS_API_SECRET: secret };
    const signedText = path.toLowerCase() + bodyHash + timestamp;
    const headers = { 'Request-Signature': signature };
    const steps = { canonicalBody, bodyHash, signature, signedText, headers };
    expect(await runJson(['sign', 'request', ...args], { env })).toMatchObject(steps);
  });

  it('prints a curl command that sends any body', async () => {
    const { url, seen } = await startFaultServer([respondJson(200, {})]);
    const body = JSON.stringify({ reference: "it's $HOME `x` \\ \n" });
    const { stdout } = await runCli([...`${request} --base-url ${url}/ --body`.split(' '), body]);
    await promisify(execFile)('sh', ['-c', stdout.slice(stdout.indexOf('curl '))]);
    expect(seen).toMatchObject([{ url: '/v1/payments', body }]);
    expect(seen[0]?.headers['request-signature']).toBe(rowOf(stdout, 'signature'));
  });

  it('reads the body from a file and from standard input', async () => {
    const fromFile = await runJson(`${request} --body-file ${await newFile('{"a":"Ẹ"}\n')}`);
    const bytes = Buffer.from('{"a":"Ẹ"}');
    const stdin = stdinOf(bytes.subarray(0, 7), bytes.subarray(7));
    expect(fromFile.canonicalBody).toBe('{"a":"Ẹ"}');
    expect(await runJson(`${request} --body-file -`, { stdin })).toEqual(fromFile);
  });

  it.each([
    ['a path with a host', '--path http://x/v1/payments'],
    ['a path without /v1', '--path /service/v1/payments'],
    ['a GET with a body', '--method GET --body {}'],
    ['an unknown method', '--method TRACE'],
    ['a timestamp in milliseconds', '--timestamp 1767346200000'],
    ['a body that is not JSON', '--body {'],
    ['a body with a key twice', '--body {"a":1,"a":2}'],
    ['a body with half a character', '--body {"a":"\\ud800"}'],
    ['two bodies', '--body {} --body-file -'],
    ['a file that does not exist', '--body-file /nowhere/body.json'],
    ['two secrets', '--secret a --secret-env B'],
    ['a variable that is not set', '--secret-env B'],
    ['an empty secret', '--secret '],
  ])('refuses %s as wrong usage', async (_name, args) => {
    expect(await runCli(`${request} ${args}`)).toMatchObject({ code: 2, stdout: '' });
  });

  it('stops at Ctrl-C while it waits for standard input', async () => {
    const ending = new AbortController();
    const stdin = new Readable({ read: () => ending.abort() });
    const result = await runCli(`${request} --body-file -`, { stdin, signal: ending.signal });
    expect(result).toEqual({ code: 130, stdout: '', stderr: '' });
  });
});

describe('the secret', () => {
  const env = { PAYMENTS_API_SECRET: 'sk_first_secret', OTHER: 'sk_other_secret' };

  it.each([
    ['PAYMENTS_API_SECRET', '', env, 'PAYMENTS_API_SECRET'],
    ['the variable that is named', ' --secret-env OTHER', env, 'OTHER'],
    ['the option', ' --secret sk_third_secret', env, 'the command line'],
    ["the sandbox's", '', {}, "the sandbox's own (PAYMENTS_API_SECRET is not set)"],
  ])('comes from %s; its source is printed, but never the secret', async (_name, options, given, from) => {
    const { stdout, stderr } = await runCli(request + options, { env: given });
    expect(rowOf(stdout, 'secret')).toBe(from);
    const json = JSON.stringify(await runJson(request + options, { env: given }));
    expect(stdout + stderr + json).not.toMatch(/sk_\w+_secret|sk_test/);
  });

  it.each([
    ['PAYMENTS_API_SECRET', request],
    ['OPERATOR_KEY', 'status --url http://127.0.0.1:9'],
  ])('is refused and not printed if something is around it: %s', async (variable, args) => {
    for (const [what, key] of strayKeys('0a1b2c3d4e5f')) {
      const { code, stdout, stderr } = await runCli(args, { env: { [variable]: key } });
      const refusal = [2, '', expect.stringContaining(`in ${variable} has`)];
      expect([code, stdout, stderr], what).toEqual(refusal);
      expect(stderr, what).not.toContain('0a1b2c3d4e5f');
    }
  });
});

describe('sign callback', () => {
  it('signs as the service does, and prints every step', async () => {
    const { callbackUrl, rawBody, timestamp, signature, secret } = vectors.callbacks[0] as CallbackVector;
    const args = ['--url', callbackUrl, '--timestamp', timestamp, '--body', rawBody];
    const signed = await runJson(['sign', 'callback', ...args], { env: { PAYMENTS_API_SECRET: secret } });
    expect(signed).toMatchObject({ signature, signedText: callbackUrl + signed.dataHash + timestamp });
  });

  it.each([
    ['no body', '', 2],
    ['a body without data', ' --body {"event":"x"}', 1],
    ['a body that is not JSON', ' --body x', 1],
  ])('refuses %s', async (_name, args, code) => {
    expect(await runCli(callback + args)).toMatchObject({ code, stdout: '' });
  });
});
