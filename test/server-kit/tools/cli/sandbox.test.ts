import { createServer, get as httpGet } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../../../server-kit/tools/cli/run.ts';
import type { Io } from '../../../../server-kit/tools/cli/terminal.ts';
import { openDataFile } from '../../../../server-kit/tools/sandbox/node/index.ts';
import { serverNow } from '../../kit/fault-server.ts';
import { serve } from '../../kit/serve.ts';
import { createTestIo, newFile, rowOf, runCli } from './cli-kit.ts';

/** Runs the sandbox on a free port until `end` is called, or the test ends. */
async function startSandboxCommand(args: readonly string[] = [], more: Partial<Io> = {}) {
  const ending = new AbortController();
  const { io, output } = createTestIo({ signal: ending.signal, ...more });
  const ready = new Promise<void>((resolve) => {
    const { write } = io.stdout;
    io.stdout = {
      write: (text) => {
        write(text);
        resolve();
      },
    };
  });
  const code = run(['sandbox', '--port', '0', ...args], io);
  onTestFinished(async () => {
    ending.abort();
    await code;
  });
  await Promise.race([ready, code]);
  const [url = ''] = /http:\/\/localhost:\d+[^\s"]*/.exec(output.stdout) ?? [];
  const end = (): Promise<number> => {
    ending.abort();
    return code;
  };
  return { url, output, end };
}

const get = (url: string): Promise<Response> => fetch(url);

/** The status of the clock under a host name. With node:http, because fetch sends no other `Host`. */
const statusUnder = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const request = httpGet(`${url}/_sandbox/clock`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('error', reject);
  });

const postUnsigned = (url: string): Promise<Response> =>
  fetch(`${url}/v1/payments`, {
    method: 'POST',
    body: '{"reference":"a"}',
    headers: {
      'content-type': 'application/json',
      'request-signature': 'aa',
      'request-timestamp': String(serverNow / 1000),
    },
  });

describe('sandbox', () => {
  it('prints its address and credentials, serves requests, and ends with 0 on Ctrl-C', async () => {
    const { url, output, end } = await startSandboxCommand();
    expect(rowOf(output.stdout, 'Payments service')).toBe(url);
    expect(rowOf(output.stdout, 'Control panel')).toBe(`${url}/_sandbox/panel/`);
    expect(rowOf(output.stdout, 'apiKey')).toBe('pk_test_sandbox');
    expect(rowOf(output.stdout, 'apiSecret')).toBe('sk_test_sandbox');
    expect(rowOf(output.stdout, 'authToken')).toBe('auth_test_sandbox');
    const document = await get(rowOf(output.stdout, 'OpenAPI') ?? '');
    expect([document.status, (await document.json()).openapi]).toEqual([200, expect.stringMatching(/^3\.1/)]);
    expect(await end()).toBe(0);
    await expect(get(url)).rejects.toThrow('fetch failed');
    expect(output.stderr).toBe('');
  });

  it('logs each request in one line, with the reason for a refusal', async () => {
    const { url, output } = await startSandboxCommand();
    const before = output.stdout.length;
    await get(`${url}/v1/nowhere?a=1`);
    await postUnsigned(url);
    const log = output.stdout.slice(before).split('\n');
    expect(log[0]).toMatch(/^12:00:00 {2}GET {2}\/v1\/nowhere\?a=1 {2}404 {2}\d+ ms$/);
    expect(log[1]).toMatch(/^ +route_not_found: Nothing is at/);
    expect(log[2]).toMatch(/^12:00:00 {2}POST \/v1\/payments {2}401 {2}\d+ ms$/);
    expect(log[3]).toMatch(/^ +request_signature_invalid: /);
    expect(log[4]).toMatch(/^ +The signature is not 128 hex digits\.$/);
  });

  it('logs each callback that it sends, also one without a response', async () => {
    const shop = await serve((_request, response) => response.writeHead(204).end());
    const { url, output } = await startSandboxCommand();
    const callbackUrl = `${shop.url}/callbacks`;
    const pay = (reference: string): Promise<unknown> =>
      runCli([
        'trigger',
        'payment.succeeded',
        '--in-sandbox',
        url,
        '--reference',
        reference,
        '--to',
        callbackUrl,
      ]);
    await pay('ord_1');
    await expect.poll(() => output.stdout).toContain(`  callback payment.succeeded  ${callbackUrl}  204  `);
    await shop.close();
    await pay('ord_2');
    await expect
      .poll(() => output.stdout)
      .toContain(`  callback payment.charged  ${callbackUrl}  no response  `);
  });

  it('keeps a payment charged for --confirmation-seconds', async () => {
    const { url } = await startSandboxCommand(['--confirmation-seconds', '60']);
    await runCli(['trigger', 'payment.charged', '--in-sandbox', url, '--reference', 'ord_8']);
    const { data } = await (await get(`${url}/_sandbox/payments`)).json();
    expect(data).toMatchObject([{ reference: 'ord_8', status: 'charged' }]);
  });

  it('logs nothing with --quiet', async () => {
    const { url, output } = await startSandboxCommand(['--quiet']);
    const before = output.stdout;
    expect((await postUnsigned(url)).status).toBe(401);
    expect(output.stdout).toBe(before);
  });

  it('prints one JSON value on each line with --json', async () => {
    const { url, output } = await startSandboxCommand(['--json']);
    await postUnsigned(url);
    const [greeting, request, ...rest] = output.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(greeting).toMatchObject({ url, panel: `${url}/_sandbox/panel/`, apiSecret: 'sk_test_sandbox' });
    expect(request).toMatchObject({
      method: 'POST',
      status: 401,
      error: { code: 'request_signature_invalid' },
    });
    expect(rest).toEqual([]);
  });

  it('puts all its paths below --base-path', async () => {
    const { url, output } = await startSandboxCommand(['--base-path', '/service']);
    expect(url).toMatch(/\/service$/);
    expect((await get(rowOf(output.stdout, 'OpenAPI') ?? '')).status).toBe(200);
  });

  it('starts with a frozen clock with --frozen', async () => {
    let nowMs = serverNow;
    const { url } = await startSandboxCommand(['--frozen'], { now: () => nowMs });
    nowMs += 60_000;
    expect(await (await get(`${url}/_sandbox/clock`)).json()).toMatchObject({
      frozen: true,
      now: new Date(serverNow).toISOString(),
    });
  });

  it('starts with fixtures and stores its records in a file', async () => {
    const fixtures = await newFile('{"payouts":[{"id":"po_1","amount":500}]}');
    const data = join(dirname(fixtures), 'data.jsonl');
    const idsOf = async (url: string): Promise<string[]> => {
      const { data: payouts } = await (await get(`${url}/_sandbox/payouts`)).json();
      return payouts.map(({ id }: { id: string }) => id);
    };
    const first = await startSandboxCommand(['--fixtures', fixtures, '--data', data]);
    expect(await idsOf(first.url)).toEqual(['po_1']);
    expect(await first.end()).toBe(0);
    const second = await startSandboxCommand(['--data', data]);
    expect(await idsOf(second.url)).toEqual(['po_1']);
  });

  it('warns when other machines can reach it', async () => {
    const { output } = await startSandboxCommand(['--host', '0.0.0.0']);
    expect(output.stderr).toContain('Anyone who can reach this machine can use the sandbox');
  });

  it('responds at the names of --allowed-host, and otherwise at localhost alone', async () => {
    const hosts = ['--allowed-host', 'sandbox', '10.0.0.7', '--allowed-host', 'phone.example'];
    const { url, output } = await startSandboxCommand(['--host', '0.0.0.0', ...hosts]);
    const statuses = ['sandbox', '10.0.0.7:4010', 'phone.example', 'localhost', 'evil.example'].map((host) =>
      statusUnder(url, host),
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200, 403]);
    expect(output.stderr).not.toContain('--allowed-host');
    const { output: other } = await startSandboxCommand(['--host', '0.0.0.0']);
    expect(other.stderr).toContain('It responds only at localhost; pass');
  });

  it('exits with 1 for an --allowed-host that is not a host name', async () => {
    const { code, stderr } = await runCli(['sandbox', '--port', '0', '--allowed-host', 'http://sandbox']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('allowedHosts.0: must be a host name')]);
  });

  it('does not warn for another address of this machine', async () => {
    const { output } = await startSandboxCommand(['--host', '127.0.0.2']);
    expect(output.stderr).not.toContain('Anyone');
  });

  it('exits with 1 when the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, stdout, stderr } = await runCli(['sandbox', '--port', String(port)]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`Port ${port} of 127.0.0.1 is in use`);
  });

  it('exits with 1 when the data file is in use', async () => {
    const path = await newFile('', 'data.jsonl');
    const held = await openDataFile(path);
    onTestFinished(held.close);
    const { code, stderr } = await runCli(['sandbox', '--port', '0', '--data', path, '--json']);
    expect([code, JSON.parse(stderr).error.code]).toEqual([1, 'in_use']);
  });

  it.each([
    ['fields that do not exist', '{"payouts":[{"amuont":1}]}', 'payouts[0].amuont: is not a known field'],
    ['no JSON', '{', 'It is not JSON'],
  ])('exits with 1 for fixtures with %s', async (_name, text, says) => {
    const path = await newFile(text);
    const { code, stderr } = await runCli(['sandbox', '--port', '0', '--fixtures', path]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(stderr).toContain(`The fixtures in ${path} cannot be used.`);
  });

  it('exits with 1 for fixtures that do not exist', async () => {
    const { code, stderr } = await runCli(['sandbox', '--port', '0', '--fixtures', '/nowhere.json']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('/nowhere.json')]);
  });
});
