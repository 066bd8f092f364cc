import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { respondJson, startFaultServer } from '../../kit/fault-server.ts';
import { strayKeys } from '../../kit/stray-keys.ts';
import { vectors } from '../../kit/vectors.ts';
import { newFile, rowOf, runCli, runJson, stdinOf } from './cli-kit.ts';

const secretEnv = (secret: string) => ({ env: { PAYMENTS_API_SECRET: secret } });
const request = 'sign request --path /v1/payments';
const callback = 'sign callback --url https://shop.example/callbacks';

/** Runs the printed curl command, and returns what the server got. */
async function runCurl(print: (url: string) => Promise<{ stdout: string }>) {
  const { url, seen } = await startFaultServer([respondJson(200, {})]);
  const { stdout } = await print(url);
  await promisify(execFile)('sh', ['-c', stdout.slice(stdout.indexOf('curl '))]);
  const [sent] = seen;
  expect(sent?.headers['request-signature']).toBe(rowOf(stdout, 'signature'));
  return sent;
}

describe('sign request', () => {
  it.each(vectors.requests)('signs as the service does: $name', async (vector) => {
    const { path, timestamp, body, canonicalBody, bodyHash, signature } = vector;
    const given = body === null ? [] : ['--body', JSON.stringify(body)];
    const args = ['sign', 'request', '--path', path, '--timestamp', timestamp, ...given];
    const signed = await runJson(args, secretEnv(vector.secret));
    expect(signed).toMatchObject({ canonicalBody, bodyHash: bodyHash ?? '', signature });
    expect(signed.signedText).toBe(path.toLowerCase() + (bodyHash ?? '') + timestamp);
    expect(signed.headers['Request-Signature']).toBe(signature);
  });

  it('prints a curl command that sends any body', async () => {
    const reference = "it's $HOME `x` \\ \n";
    const body = JSON.stringify({ reference });
    const sent = await runCurl((url) => runCli([...`${request} --base-url ${url}/ --body`.split(' '), body]));
    expect([sent?.url, sent?.body]).toEqual(['/v1/payments', body]);
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
    ['a body that is a list', '--body []'],
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

  it.each(strayKeys('0a1b2c3d4e5f'))('is refused and not printed with %s', async (_what, key) => {
    for (const [variable, args] of [
      ['PAYMENTS_API_SECRET', request],
      ['OPERATOR_KEY', 'status --url http://127.0.0.1:9'],
    ] as const) {
      const { code, stdout, stderr } = await runCli(args, { env: { [variable]: key } });
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(`in ${variable} has`)]);
      expect(stderr).not.toContain('0a1b2c3d4e5f');
    }
  });
});

describe('sign callback', () => {
  /** Those in the form that the service sends; it is verified in others too. */
  const usual = vectors.callbacks.filter(({ name }) => !/lower-cased|stringify/.test(name));

  it.each(usual)('signs as the service does: $name', async (vector) => {
    const { callbackUrl, rawBody, timestamp, signature } = vector;
    const args = ['sign', 'callback', '--url', callbackUrl, '--timestamp', timestamp, '--body', rawBody];
    const signed = await runJson(args, secretEnv(vector.secret));
    expect(signed.signature).toBe(signature);
    expect(signed.signedText).toBe(callbackUrl + signed.dataHash + timestamp);
  });

  it.each([
    ['no body', '', 2],
    ['a body without data', ' --body {"event":"x"}', 1],
    ['a body with data twice', ' --body {"data":{},"data":{}}', 1],
    ['a body that is not JSON', ' --body x', 1],
  ])('refuses %s', async (_name, args, code) => {
    expect(await runCli(callback + args)).toMatchObject({ code, stdout: '' });
  });
});
