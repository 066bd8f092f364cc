import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createSandboxListener,
  type SandboxServerOptions,
  startSandboxServer,
} from '../../../../server-kit/tools/sandbox/node/index.ts';
import { CheckoutError } from '../../../../src/contract/index.ts';
import { open as openConnection } from '../../kit/raw-connection.ts';
import { createLink, newSandbox, startMs } from './sandbox-kit.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-data-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const panel = '<!doctype html><title>Panel</title>';
const pay = '<!doctype html><title>Pay</title>';

async function start(options: Partial<SandboxServerOptions> = {}) {
  const server = await startSandboxServer({ port: 0, now: () => startMs, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** A server with pages in a folder, beside which there is a secret. */
async function startWithPages(options: Partial<SandboxServerOptions> = {}) {
  const outside = await newFolder();
  await mkdir(join(outside, 'pages/assets'), { recursive: true });
  const files = { 'secret.txt': 'secret', 'pages/index.html': panel, 'pages/pay.html': pay };
  for (const [name, text] of Object.entries({ ...files, 'pages/assets/page.js': 'export {};' }))
    await writeFile(join(outside, name), text);
  return start({ ...options, pagesFolder: join(outside, 'pages') });
}

/** Fetches a page of the server as a browser does. */
const visit = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers: { accept: 'text/html,*/*;q=0.8' }, ...init });

/** Sends a text that `fetch` would not send, and reads until the server closes the connection. */
async function sendRaw(url: string, text: string) {
  const { socket, send, statuses, received } = openConnection(Number(new URL(url).port));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  send(text);
  await closed;
  return { status: statuses()[0], text: received() };
}

const get = (target: string, host = 'localhost'): string =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

describe('the pages', () => {
  it('are the panel below the base path, under a strict policy', async () => {
    const { url } = await startWithPages({ basePath: '/service' });
    const page = await visit(`${url}/_sandbox/panel/`);
    expect([page.status, await page.text()]).toEqual([200, panel]);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': expect.stringMatching(/^text\/html/),
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "base-uri 'none'; frame-ancestors 'self'; form-action 'self'; require-trusted-types-for 'script'",
      'x-content-type-options': 'nosniff',
    });
    const script = await visit(`${url}/_sandbox/panel/assets/page.js`);
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript']);
    const posted = await visit(`${url}/_sandbox/panel/`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['/', '/service', '/service/', '/service/_sandbox/panel'])(
    'are where a browser is sent that requests %s',
    async (path) => {
      const { url } = await startWithPages({ basePath: '/service' });
      const response = await visit(new URL(path, url).href);
      expect([response.status, response.headers.get('location')]).toEqual([302, '/service/_sandbox/panel/']);
    },
  );

  it.each(['/none.js', '/../../package.json', '/%2e%2e%2fsecret.txt', '/..%5csecret.txt', '/%00', '/%FF'])(
    'have nothing at %s',
    async (path) => {
      const { url } = await startWithPages();
      const { status, text } = await sendRaw(url, get(`/_sandbox/panel${path}`));
      expect(status).toBe(404);
      expect(text).not.toContain('secret');
    },
  );

  it('are that of a checkout link with its assets, which reaches the sandbox below its own URL', async () => {
    const { sandbox } = await startWithPages({ basePath: '/service' });
    const { reference, authorizationUrl } = await createLink(sandbox, {}, '/service');
    const page = await visit(authorizationUrl);
    expect([page.status, await page.text()]).toEqual([200, pay]);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const script = await visit(new URL('./assets/page.js', authorizationUrl).href);
    expect([script.status, await script.text()]).toEqual([200, 'export {};']);
    const headers = { 'content-type': 'application/json' };
    const opened = await fetch(`${authorizationUrl}/sessions`, { method: 'POST', headers, body: '{}' });
    expect(await opened.json()).toMatchObject({ reference, outcome: 'pending' });
    expect(sandbox.control.listPayments()).toHaveLength(1);
    expect((await visit(`${authorizationUrl}/nothing`)).status).toBe(404);
  });
});

describe('startSandboxServer', () => {
  it('stores records and the clock in one file, and continues with them', async () => {
    const folder = join(await newFolder(), 'new');
    const dataFile = join(folder, 'data.json');
    const { sandbox: first, close } = await start({ dataFile });
    first.control.setClock({ advanceSeconds: 60, frozen: true });
    first.control.createPayout({ id: 'po_1', amount: 500 });
    first.control.addFault({ operation: '*', status: 500 });
    first.control.removeFaults();
    await close();
    expect(await readdir(folder)).toEqual(['data.json']);
    const { control } = (await start({ dataFile })).sandbox;
    expect(control.readClock()).toMatchObject({ offsetSeconds: 60, frozen: true });
    expect(control.listPayouts()).toHaveLength(1);
    expect(control.listFaults()).toEqual([]);
  });

  it.each([
    ['an empty text', ''],
    ['another text', 'hello'],
    ['another JSON', '[]'],
    ['the format of an earlier version', '{"format":"transfer-checkout sandbox","version":1}\n'],
    ['half a file', '{"format":"transfer-checkout sandbox 2","records":[["payouts","po_1",'],
    [
      'a record under another id',
      '{"format":"transfer-checkout sandbox 2","records":[["a","b",{"id":"c"}]]}',
    ],
  ])('refuses a data file with %s, and does not change it', async (_name, text) => {
    const dataFile = join(await newFolder(), 'data.json');
    await writeFile(dataFile, text);
    await expect(startSandboxServer({ port: 0, dataFile })).rejects.toMatchObject({ code: 'foreign' });
    expect(await readFile(dataFile, 'utf8')).toBe(text);
  });

  it('responds with 500 once its data file cannot be written', async () => {
    const folder = await newFolder();
    const dataFile = join(folder, 'file/data.json');
    const { url, sandbox, close } = await startSandboxServer({ port: 0, dataFile });
    await writeFile(join(folder, 'file'), '');
    await expect
      .poll(async () => {
        sandbox.control.createPayout({ amount: 500 });
        return (await (await fetch(`${url}/_sandbox/clock`)).json()).error?.code;
      })
      .toBe('storage_failed');
    await expect(close()).rejects.toThrow();
  });

  it('reports a port in use', async () => {
    const port = Number(new URL((await start()).url).port);
    await expect(startSandboxServer({ port })).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is in use; stop the other process, or choose another port (0 for any free one).`,
    );
  });

  it('can be closed twice, and while a request is open', async () => {
    const server = await start();
    const { socket } = openConnection(Number(new URL(server.url).port));
    const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
    const begin = 'POST /v1/payments HTTP/1.1\r\nHost: localhost\r\n';
    await new Promise<void>((resolve) => socket.write(begin, () => resolve()));
    await server.close();
    await closed;
    await server.close();
  });
});

describe('a host name', () => {
  const statusUnder = async (url: string, path: string, host: string) =>
    (await sendRaw(url, get(path, host))).status;

  it('is checked before every path, endpoints included', async () => {
    const { url } = await startWithPages();
    // Every kind of path, with its status under an accepted name: an endpoint wants a signature first.
    for (const [path, status] of [
      ['/v1/payments/none', 401],
      ['/V1/payments/none', 404],
      ['/_sandbox/clock', 200],
      ['/%5Fsandbox/clock', 404],
      ['/v1/../_sandbox/clock', 200],
      ['/v1/%2e%2e/_sandbox/clock', 200],
      ['/v1/..%2f_sandbox/clock', 404],
      ['/_sandbox/panel/', 200],
      ['/_sandbox/panel/assets/page.js', 200],
      ['/_sandbox/panel', 302],
      ['/', 404],
      ['http://localhost/v1/payments/none', 404],
    ] as const) {
      expect(await statusUnder(url, path, 'localhost'), path).toBe(status);
      expect(await statusUnder(url, path, 'evil.example'), path).toBe(403);
      expect((await sendRaw(url, `GET ${path} HTTP/1.0\r\n\r\n`)).status, path).toBe(403);
    }
  });

  const publicUrl = 'https://sandbox.example/service';
  const allowedHosts = ['sandbox', 'Phone.Example', '10.0.0.7', '[fd00::7]'];

  it.each<[string, number, Partial<SandboxServerOptions>, readonly string[]]>([
    [
      'is refused if it is of another site',
      403,
      { publicUrl },
      [
        ...['evil.example', 'evil.example:4010', 'EVIL.example', 'evil.example.', 'ev%69l.example'],
        ...['localhost.evil.example', '127.0.0.1.evil.example', 'localhost%2eevil.example'],
        ...['sandbox.example.evil.ng', 'xn--localhost-evil.ng', 'localhost@evil.example'],
        ...['evil.example@localhost', 'localhost/evil', 'a b', '10.0.0.1', '0.0.0.0', '[::2]:4010'],
        ...['[::ffff:10.0.0.1]', '127.0.0.1.nip.io', ''],
      ],
    ],
    [
      'is accepted if it is of this machine or of publicUrl',
      200,
      { publicUrl },
      [
        ...['localhost', 'LOCALHOST:4010', 'localhost.', 'localhost.:4010', '%6cocalhost', 'shop.localhost'],
        ...['127.0.0.1:4010', '127.8.0.1', '2130706433', '[::1]', '[::1]:4010', '[0:0:0:0:0:0:0:1]'],
        ...['sandbox.example', 'Sandbox.Example:8443', 'sandbox.example.'],
      ],
    ],
    [
      'is accepted if it is in allowedHosts',
      200,
      { host: '0.0.0.0', allowedHosts },
      ['sandbox', 'Sandbox:4010', 'phone.example.', '10.0.0.7:4010', '[fd00::7]:4010', 'localhost'],
    ],
    [
      'is refused if it only begins as one in allowedHosts',
      403,
      { host: '0.0.0.0', allowedHosts },
      ['sandbox.evil.example', 'Sandbox.evil.example', '10.0.0.7.evil.example', '[fd00::7].evil.example'],
    ],
    ['is checked where other machines can reach the server', 403, { host: '0.0.0.0' }, ['evil.example']],
    ['is checked where they can by IPv6', 403, { host: '::' }, ['evil.example']],
  ])('%s', async (_what, status, options, hosts) => {
    const { url } = await start(options);
    for (const host of hosts) expect(await statusUnder(url, '/_sandbox/clock', host), host).toBe(status);
  });

  it.each(['http://sandbox', 'sandbox:4010', 'sand box', 'a/b', '', 'user@sandbox', '*.example'])(
    'cannot be an entry of allowedHosts: %j',
    async (name) => {
      expect(() => createSandboxListener(newSandbox(), { allowedHosts: [name] })).toThrow(CheckoutError);
      await expect(startSandboxServer({ port: 0, allowedHosts: [name] })).rejects.toThrow(/allowedHosts/);
    },
  );
});

const head = 'Host: localhost\r\nConnection: close\r\n';
const post = `POST /v1/payments HTTP/1.1\r\n${head}Content-Type: application/json\r\n`;
const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}0\r\n\r\n`;

describe('a request that no client would send', () => {
  it.each<[string, string, number, string]>([
    ['a body of 1 MB that is announced', `${post}Content-Length: 1000000\r\n\r\n`, 413, 'body_too_large'],
    ['a body of over 1 MB in chunks', chunked, 413, 'body_too_large'],
    ['an invalid escape', get('/v1/payments/%zz'), 404, 'route_not_found'],
    ['a path of two slashes', get('//v1/payments'), 404, 'route_not_found'],
    ['dots in the path', get('/v1/../../etc'), 404, 'route_not_found'],
    ['a star', `OPTIONS * HTTP/1.1\r\n${head}\r\n`, 404, 'route_not_found'],
    ['an invalid host', get('/v1/none', 'a b@c'), 403, 'host_refused'],
    ['a host with a query', get('/v1/none', 'a/_sandbox/clock?'), 403, 'host_refused'],
  ])('is refused with the envelope: %s', async (_name, text, status, code) => {
    const { url, sandbox } = await start();
    const sent = await sendRaw(url, text);
    expect(sent.status).toBe(status);
    const { error } = JSON.parse(/\{.*\}/s.exec(sent.text)?.[0] ?? '{}');
    expect(Object.keys(error).sort()).toEqual(['code', 'message', 'params', 'type']);
    expect(error.code).toBe(code);
    if (status === 403) expect(error.message).toContain('allowedHosts');
    expect(sandbox.control.listPayments()).toEqual([]);
  });

  it('is a fault of its client when its body ends early', async () => {
    const { url, sandbox } = await start();
    const { socket, send } = openConnection(Number(new URL(url).port));
    send(`${post}Content-Length: 500\r\n\r\n{"reference":`);
    await expect.poll(() => sandbox.control.listRequests()).toHaveLength(1);
    socket.destroy();
    await expect
      .poll(() => sandbox.control.listRequests()[0])
      .toMatchObject({ status: 400, error: { code: 'body_malformed' } });
  });
});
