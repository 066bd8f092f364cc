import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitWithTimer } from '../../../../server-kit/core/time.ts';
import type { Io } from '../../../../server-kit/tools/cli/terminal.ts';
import { serverNow } from '../../kit/fault-server.ts';
import { createGate } from '../../kit/gate.ts';
import { open } from '../../kit/raw-connection.ts';
import { failingFetch, newFile, respondWith, rowOf, runCli, startCli } from './cli-kit.ts';

/** Runs the sandbox on a free port until `end` is called, or the test ends. */
async function start(args = '', more: Partial<Io> = {}) {
  const ending = new AbortController();
  let stdout = '';
  const ready = createGate();
  const write = (text: string): void => {
    stdout += text;
    ready.open();
  };
  const io = { signal: ending.signal, stdout: { write }, ...more };
  const { output, code } = startCli(`sandbox --port 0${args}`, io);
  const end = (): Promise<number> => {
    ending.abort();
    return code;
  };
  onTestFinished(async () => void (await end()));
  await Promise.race([ready.opened, code]);
  const [url = ''] = /http:\/\/localhost:\d+[^\s"]*/.exec(stdout) ?? [];
  const get = async (path: string) => (await fetch(`${url}${path}`)).json();
  return { url, output, end, get, printed: () => stdout };
}

/** The status of the clock under a host name. Over a bare connection, because fetch sends no other `Host`. */
async function statusUnder(url: string, host: string): Promise<number | undefined> {
  const { send, statuses } = open(Number(new URL(url).port));
  send(`GET /_sandbox/clock HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await expect.poll(statuses).toHaveLength(1);
  return statuses()[0];
}

const postUnsigned = (url: string): Promise<Response> => {
  const signed = { 'request-signature': 'aa', 'request-timestamp': String(serverNow / 1000) };
  const headers = { 'content-type': 'application/json', ...signed };
  return fetch(`${url}/v1/payments`, { method: 'POST', body: '{"reference":"a"}', headers });
};

const trigger = (event: string, url: string): Promise<unknown> =>
  runCli(`trigger ${event} --in-sandbox ${url} --to http://shop.example/callbacks`, {
    fetch,
    wait: waitWithTimer,
  });

describe('sandbox', () => {
  it('prints its address and credentials, serves requests, and ends with 0 on Ctrl-C', async () => {
    const { url, output, end, printed, get } = await start();
    expect(rowOf(printed(), 'Payments service')).toBe(url);
    expect(rowOf(printed(), 'Control panel')).toBe(`${url}/_sandbox/panel/`);
    const keys = ['apiKey', 'apiSecret', 'authToken'].map((name) => rowOf(printed(), name));
    expect(keys).toEqual(['pk_test_sandbox', 'sk_test_sandbox', 'auth_test_sandbox']);
    expect(await get('/_sandbox/payments')).toEqual({ data: [] });
    expect(await end()).toBe(0);
    await expect(get('/_sandbox/payments')).rejects.toThrow('fetch failed');
    expect(output.stderr).toBe('');
  });

  it('logs each request in one line, with the reason for a refusal', async () => {
    const { url, printed } = await start();
    const before = printed().length;
    await fetch(`${url}/v1/nowhere?a=1`);
    await postUnsigned(url);
    const log = printed().slice(before).split('\n');
    expect(log[0]).toMatch(/^12:00:00 {2}GET {2}\/v1\/nowhere\?a=1 {2}404 {2}\d+ ms$/);
    expect(log[1]).toMatch(/^ +route_not_found: There is nothing at/);
    expect(log[2]).toMatch(/^12:00:00 {2}POST \/v1\/payments {2}401 {2}\d+ ms$/);
    expect(log[3]).toMatch(/^ +request_signature_invalid: /);
    expect(log[4]).toMatch(/^ +The signature is not 128 hex digits\.$/);
  });

  it.each([
    ['204', respondWith(204).fetch],
    ['no response', failingFetch],
  ])('logs each callback that it sends: %s', async (result, fetch) => {
    const { url, printed } = await start('', { fetch });
    await trigger('payment.charged', url);
    expect(printed()).toContain(
      `  callback payment.charged  http://shop.example/callbacks  ${result}  0 ms\n`,
    );
  });

  it('logs nothing with --quiet', async () => {
    const { url, printed } = await start(' --quiet', respondWith(204));
    const before = printed();
    expect((await postUnsigned(url)).status).toBe(401);
    await trigger('payment.charged', url);
    expect(printed()).toBe(before);
  });

  it('prints one JSON value on each line with --json', async () => {
    const { url, printed } = await start(' --json');
    await postUnsigned(url);
    const lines = printed().trim().split('\n');
    const ready = { url, panel: `${url}/_sandbox/panel/`, apiSecret: 'sk_test_sandbox', data: null };
    const refused = { method: 'POST', status: 401, error: { code: 'request_signature_invalid' } };
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([ready, refused]);
  });

  it('starts with fixtures and stores its records in a file', async () => {
    const fixtures = await newFile('{"payouts":[{"id":"po_1","amount":500}]}');
    const data = join(dirname(fixtures), 'data.json');
    for (const args of [` --fixtures ${fixtures} --data ${data}`, ` --data ${data}`]) {
      const { get, end } = await start(args);
      expect((await get('/_sandbox/payouts')).data).toMatchObject([{ id: 'po_1' }]);
      expect(await end()).toBe(0);
    }
  });

  it('responds at the names of --allowed-host, and otherwise at localhost alone', async () => {
    const hosts = ' --allowed-host sandbox 10.0.0.7 --allowed-host phone.example';
    const { url, output } = await start(` --host 0.0.0.0${hosts}`);
    const statuses = ['sandbox', '10.0.0.7:4010', 'phone.example', 'localhost', 'evil.example'].map((host) =>
      statusUnder(url, host),
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200, 403]);
    expect(output.stderr).not.toContain('--allowed-host');
  });

  it.each([
    ['fields that do not exist', '{"payouts":[{"amuont":1}]}', 'payouts[0].amuont: is not a known field'],
    ['no JSON', '{', 'in JSON at position 1'],
    ['no UTF-8', Buffer.from([0xff]), 'cannot be read as UTF-8'],
  ])('exits with 1 for fixtures with %s', async (_name, content, says) => {
    const path = await newFile(content);
    const { code, stderr } = await runCli(`sandbox --port 0 --fixtures ${path}`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(stderr).toContain(`The fixtures in ${path} cannot be used.`);
  });
});
