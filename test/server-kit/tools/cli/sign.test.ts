import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../../server-kit/client/signing/signature.ts';
import { respondJson, serverNow, startFaultServer } from '../../kit/fault-server.ts';
import { strayKeys } from '../../kit/stray-keys.ts';
import { vectors } from '../../kit/vectors.ts';
import { newFile, rowOf, runCli, runJson, startTestSandbox, stdinOf } from './cli-kit.ts';

const secretEnv = (secret: string) => ({ env: { PAYMENTS_API_SECRET: secret } });
const url = 'https://shop.example/callbacks';
/** Those in the form that the service sends; it is verified in others too. */
const usualCallbacks = vectors.callbacks.filter(({ name }) => !/lower-cased|stringify/.test(name));
const callbackBody = '{"event":"payment.succeeded","data":{"id":"pay_1"}}';

describe('sign request', () => {
  it.each(vectors.requests)('signs as the service does: $name', async (vector) => {
    const { path, timestamp, body, canonicalBody, bodyHash, signature } = vector;
    const given = body === null ? [] : ['--body', JSON.stringify(body)];
    const signed = await runJson(
      ['sign', 'request', '--path', path, '--timestamp', timestamp, ...given],
      secretEnv(vector.secret),
    );
    expect(signed).toMatchObject({ canonicalBody, bodyHash: bodyHash ?? '', signature });
    expect(signed.signedText).toBe(path.toLowerCase() + (bodyHash ?? '') + timestamp);
    expect(signed.headers['Request-Signature']).toBe(signature);
  });

  it('shows every step and signs with the current time', async () => {
    const { code, stdout } = await runCli([
      'sign',
      'request',
      '--path',
      '/v1/payments',
      '--body',
      '{"b":1,"a":2}',
    ]);
    expect(code).toBe(0);
    expect(rowOf(stdout, 'canonical body')).toBe('{"a":2,"b":1}');
    expect(rowOf(stdout, 'body hash')).toMatch(/^[\da-f]{128}$/);
    expect(rowOf(stdout, 'timestamp')).toBe(toTimestamp(serverNow));
    expect(rowOf(stdout, 'signature')).toMatch(/^[\da-f]{128}$/);
  });

  it('prints a curl command that the sandbox accepts, with any body', async () => {
    const sandbox = await startTestSandbox();
    const body = JSON.stringify({
      reference: "it's $HOME `x` \\ \n",
      paymentMethod: 'pay_with_transfer',
      amount: { value: 5, currency: 'NGN' },
    });
    const { stdout } = await runCli([
      'sign',
      'request',
      '--path',
      '/v1/payments',
      '--body',
      body,
      '--base-url',
      `${sandbox.url}/`,
    ]);
    const command = stdout.slice(stdout.indexOf('curl '));
    const { stdout: response } = await promisify(execFile)('sh', ['-c', command]);
    expect(JSON.parse(response).reference).toBe("it's $HOME `x` \\ \n");
  });

  it('leaves the query unsigned but in the URL', async () => {
    const plain = await runJson(['sign', 'request', '--path', '/v1/payouts']);
    const filtered = await runJson(['sign', 'request', '--path', '/v1/payouts?limit=1']);
    expect(filtered.signature).toBe(plain.signature);
    expect(filtered.url).toBe('http://localhost:4010/v1/payouts?limit=1');
  });

  it('reads the body from a file and from standard input', async () => {
    const file = await newFile('{"a":"Ẹ"}\n');
    const fromFile = await runJson(['sign', 'request', '--path', '/v1/payments', '--body-file', file]);
    const args = ['sign', 'request', '--path', '/v1/payments', '--body-file', '-'];
    const bytes = Buffer.from('{"a":"Ẹ"}');
    const fromStdin = await runJson(args, { stdin: stdinOf(bytes.subarray(0, 7), bytes.subarray(7)) });
    expect(fromFile.canonicalBody).toBe('{"a":"Ẹ"}');
    expect(fromStdin).toEqual(fromFile);
  });

  it.each([
    ['a path with a host', ['--path', 'http://x/v1/payments']],
    ['a path without /v1', ['--path', '/service/v1/payments']],
    ['a GET with a body', ['--path', '/v1/payments', '--method', 'GET', '--body', '{}']],
    ['an unknown method', ['--path', '/v1/payments', '--method', 'TRACE']],
    ['a timestamp in milliseconds', ['--path', '/v1/payments', '--timestamp', '1767346200000']],
    ['a body that is not JSON', ['--path', '/v1/payments', '--body', '{']],
    ['a body with a key twice', ['--path', '/v1/payments', '--body', '{"a":1,"a":2}']],
    ['a body that is a list', ['--path', '/v1/payments', '--body', '[]']],
    ['a body with half a character', ['--path', '/v1/payments', '--body', '{"a":"\\ud800"}']],
    ['two bodies', ['--path', '/v1/payments', '--body', '{}', '--body-file', '-']],
    ['a file that does not exist', ['--path', '/v1/payments', '--body-file', '/nowhere/body.json']],
    ['two secrets', ['--path', '/v1/payments', '--secret', 'a', '--secret-env', 'B']],
    ['a variable that is not set', ['--path', '/v1/payments', '--secret-env', 'B']],
    ['an empty secret', ['--path', '/v1/payments', '--secret', '']],
  ])('refuses %s as wrong usage', async (_name, args) => {
    expect(await runCli(['sign', 'request', ...args])).toMatchObject({ code: 2, stdout: '' });
  });

  it('stops at Ctrl-C while it waits for standard input', async () => {
    const ending = new AbortController();
    const stdin = new Readable({ read: () => ending.abort() });
    const args = ['sign', 'request', '--path', '/v1/payments', '--body-file', '-'];
    expect(await runCli(args, { stdin, signal: ending.signal })).toEqual({
      code: 130,
      stdout: '',
      stderr: '',
    });
  });

  it('refuses a body that is not UTF-8', async () => {
    const file = await newFile(Buffer.from([0x7b, 0xff, 0x7d]));
    const { code, stderr } = await runCli(['sign', 'request', '--path', '/v1/payments', '--body-file', file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} is not UTF-8 text`)]);
  });
});

describe('the secret', () => {
  const args = ['sign', 'request', '--path', '/v1/payments'];
  const env = { PAYMENTS_API_SECRET: 'sk_first_secret', OTHER: 'sk_other_secret' };

  it.each([
    ['PAYMENTS_API_SECRET', [], env, 'PAYMENTS_API_SECRET'],
    ['the variable that is named', ['--secret-env', 'OTHER'], env, 'OTHER'],
    ['the option', ['--secret', 'sk_third_secret'], env, 'the command line'],
    ["the sandbox's", [], {}, "the sandbox's own (PAYMENTS_API_SECRET is not set)"],
  ])('comes from %s; its source is printed, but never the secret', async (_name, options, given, from) => {
    const { stdout, stderr } = await runCli([...args, ...options], { env: given });
    expect(rowOf(stdout, 'secret')).toBe(from);
    const json = JSON.stringify(await runJson([...args, ...options], { env: given }));
    expect(stdout + stderr + json).not.toMatch(/sk_\w+_secret|sk_test/);
  });
});

describe('a key in the environment with something around it', () => {
  it.each(strayKeys('0a1b2c3d4e5f'))(
    'is refused with its variable, and not printed: %s',
    async (_what, key) => {
      for (const [variable, args] of [
        ['PAYMENTS_API_SECRET', ['sign', 'request', '--path', '/v1/payments']],
        ['PAYMENTS_API_KEY', ['payment', 'get', 'x']],
        ['RECONCILE_KEY', ['status', '--url', 'http://127.0.0.1:9']],
      ] as const) {
        const { code, stdout, stderr } = await runCli(args, { env: { [variable]: key } });
        expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(`in ${variable} has`)]);
        expect(stderr).not.toContain('0a1b2c3d4e5f');
      }
    },
  );
});

describe('sign callback', () => {
  it.each(usualCallbacks)('signs as the service does: $name', async (vector) => {
    const { callbackUrl, rawBody, timestamp, signature } = vector;
    const signed = await runJson(
      ['sign', 'callback', '--url', callbackUrl, '--timestamp', timestamp, '--body', rawBody],
      secretEnv(vector.secret),
    );
    expect(signed.signature).toBe(signature);
    expect(signed.signedText).toBe(callbackUrl + signed.dataHash + timestamp);
  });

  it('prints a curl command that sends the same body', async () => {
    const { url: receiver, seen } = await startFaultServer([respondJson(200, {})]);
    const body = '{ "event" : "x" ,\n "data" : { "b" : "\u00e9\'" } }\n';
    const { stdout } = await runCli(['sign', 'callback', '--url', receiver, '--body', body]);
    await promisify(execFile)('sh', ['-c', stdout.slice(stdout.indexOf('curl '))]);
    expect(seen[0]?.body).toBe(body);
    expect(seen[0]?.headers['request-signature']).toBe(rowOf(stdout, 'signature'));
  });

  it.each([
    ['no body', [], 2],
    ['a body without data', ['--body', '{"event":"x"}'], 1],
    ['a body with data twice', ['--body', '{"data":{},"data":{}}'], 1],
    ['a body that is not JSON', ['--body', 'x'], 1],
  ])('refuses %s', async (_name, args, code) => {
    expect(await runCli(['sign', 'callback', '--url', url, ...args])).toMatchObject({ code, stdout: '' });
  });

  it('shows the unchanged text of data', async () => {
    const { stdout } = await runCli(['sign', 'callback', '--url', url, '--body', callbackBody]);
    expect(rowOf(stdout, 'data')).toBe('{"id":"pay_1"}');
  });
});
