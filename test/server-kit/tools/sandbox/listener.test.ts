import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPaymentsClient } from '../../../../server-kit/core/client.ts';
import {
  createSandboxListener,
  type SandboxServerOptions,
  startSandboxServer,
} from '../../../../server-kit/tools/sandbox/node/index.ts';
import { CheckoutError } from '../../../../src/contract/index.ts';
import { open as openConnection } from '../../kit/raw-connection.ts';
import { goodBody, newSandbox, startMs } from './sandbox-kit.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-data-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function newPanel(): Promise<string> {
  const outside = await newFolder();
  await writeFile(join(outside, 'secret.txt'), 'secret');
  const folder = join(outside, 'panel');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Panel</title>');
  await writeFile(join(folder, 'assets', 'panel.js'), 'export {};');
  return folder;
}

async function start(options: Partial<SandboxServerOptions> = {}) {
  const server = await startSandboxServer({ port: 0, now: () => startMs, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Fetches a page of the server as a browser does. */
const visit = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers: { accept: 'text/html,*/*;q=0.8' }, ...init });

describe('the control panel', () => {
  it('is served below the base path, under a strict policy', async () => {
    const { url } = await start({ basePath: '/service', pagesFolder: await newPanel() });
    const page = await visit(`${url}/_sandbox/panel/`);
    expect([page.status, await page.text()]).toEqual([200, '<!doctype html><title>Panel</title>']);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "base-uri 'none'; frame-ancestors 'self'; form-action 'self'; require-trusted-types-for 'script'",
    );
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const script = await visit(`${url}/_sandbox/panel/assets/panel.js`);
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript']);
  });

  it.each(['/', '/service', '/service/', '/service/_sandbox/panel'])(
    'is the redirect of a browser that requests %s',
    async (path) => {
      const { url } = await start({ basePath: '/service', pagesFolder: await newPanel() });
      const response = await visit(new URL(path, url).href);
      expect([response.status, response.headers.get('location')]).toEqual([302, '/service/_sandbox/panel/']);
    },
  );

  it.each(['/none.js', '/../../package.json', '/%2e%2e%2fsecret.txt', '/..%5csecret.txt', '/%00', '/%FF'])(
    'has nothing at %s',
    async (path) => {
      const { url } = await start({ pagesFolder: await newPanel() });
      const connection = openConnection(Number(new URL(url).port));
      connection.send(`GET /_sandbox/panel${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      await new Promise((resolve) => connection.socket.once('close', resolve));
      expect(connection.statuses()).toEqual([404]);
      expect(connection.received()).not.toContain('secret');
    },
  );

  it('allows only GET', async () => {
    const { url } = await start({ pagesFolder: await newPanel() });
    const response = await visit(`${url}/_sandbox/panel/`, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the page of a checkout link', () => {
  const pay = '<!doctype html><title>Pay</title>';

  async function startWithPage() {
    const pagesFolder = await newPanel();
    await writeFile(join(pagesFolder, 'pay.html'), pay);
    const server = await start({ basePath: '/service', pagesFolder });
    const { checkout } = createPaymentsClient({
      baseUrl: server.url,
      apiSecret: 'sk_test_sandbox',
      now: () => startMs,
    });
    const { reference, amount } = goodBody;
    return { ...server, link: await checkout.create({ reference, amount }) };
  }

  it('is at its authorizationUrl with its assets, and does not leak its URL', async () => {
    const { link } = await startWithPage();
    const page = await visit(link.authorizationUrl);
    expect([page.status, await page.text()]).toEqual([200, pay]);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const script = await visit(new URL('./assets/panel.js', link.authorizationUrl).href);
    expect([script.status, await script.text()]).toEqual([200, 'export {};']);
  });

  it('reaches the sandbox below its own URL', async () => {
    const { link, sandbox } = await startWithPage();
    const opened = await fetch(`${link.authorizationUrl}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await opened.json()).toMatchObject({ reference: link.reference, outcome: 'pending' });
    expect(sandbox.control.listPayments()).toHaveLength(1);
    expect((await visit(`${link.authorizationUrl}/nothing`)).status).toBe(404);
  });
});

describe('startSandboxServer', () => {
  it('stores records and the clock in one file, and continues with them', async () => {
    const folder = join(await newFolder(), 'new');
    const dataFile = join(folder, 'data.json');
    const first = await startSandboxServer({ port: 0, dataFile, now: () => startMs });
    first.sandbox.control.setClock({ advanceSeconds: 60, frozen: true });
    first.sandbox.control.createPayout({ id: 'po_1', amount: 500 });
    first.sandbox.control.addFault({ operation: '*', status: 500 });
    first.sandbox.control.removeFaults();
    await first.close();
    await first.close();
    expect(await readdir(folder)).toEqual(['data.json']);
    const { sandbox } = await start({ dataFile });
    expect(sandbox.control.readClock()).toMatchObject({ offsetSeconds: 60, frozen: true });
    expect(sandbox.control.listPayouts()).toHaveLength(1);
    expect(sandbox.control.listFaults()).toEqual([]);
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
    const { url, sandbox, close } = await startSandboxServer({
      port: 0,
      dataFile: join(folder, 'file/data.json'),
    });
    await writeFile(join(folder, 'file'), '');
    sandbox.control.createPayout({ amount: 500 });
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
    const server = await startSandboxServer({ port: 0 });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
    await new Promise<void>((resolve) =>
      socket.write('POST /v1/payments HTTP/1.1\r\nHost: localhost\r\n', () => resolve()),
    );
    await server.close();
    await closed;
    await server.close();
  });
});

describe('a host name', () => {
  /** The status of a request under this name. A client of the test's own, because fetch sends no other `Host`. */
  async function ask(url: string, path: string, host: string | undefined, version = '1.1'): Promise<number> {
    const connection = openConnection(Number(new URL(url).port));
    const ended = new Promise((resolve) => connection.socket.once('close', resolve));
    const header = host === undefined ? '' : `Host: ${host}\r\n`;
    connection.send(`GET ${path} HTTP/${version}\r\n${header}Connection: close\r\n\r\n`);
    await ended;
    return connection.statuses()[0] ?? 0;
  }

  /** Every kind of path, with its status under an accepted name: an endpoint wants a signature first. */
  const paths: [string, number][] = [
    ['/v1/payments/none', 401],
    ['/V1/payments/none', 404],
    ['/_sandbox/clock', 200],
    ['/%5Fsandbox/clock', 404],
    ['/v1/../_sandbox/clock', 200],
    ['/v1/%2e%2e/_sandbox/clock', 200],
    ['/v1/..%2f_sandbox/clock', 404],
    ['/v1//_sandbox/clock', 404],
    ['/_sandbox/panel/', 200],
    ['/_sandbox/panel/assets/panel.js', 200],
    ['/_sandbox/panel', 302],
    ['/', 404],
    ['http://localhost/v1/payments/none', 404],
  ];

  it('is checked before every path, endpoints included', async () => {
    const { url } = await start({ pagesFolder: await newPanel() });
    for (const [path, status] of paths) {
      expect(await ask(url, path, 'localhost'), path).toEqual(status);
      expect(await ask(url, path, 'evil.example'), path).toBe(403);
      expect(await ask(url, path, undefined, '1.0'), path).toBe(403);
    }
    expect(await ask(url, '/v1/payments/none', undefined)).toBe(400);
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
    for (const host of hosts) expect(await ask(url, '/_sandbox/clock', host), host).toEqual(status);
  });

  const [_ownAddress] = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');

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
const get = (target: string, host = 'localhost'): string =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

describe('a request that no client would send', () => {
  it.each<[string, string, number, string]>([
    ['a body of 1 MB that is announced', `${post}Content-Length: 1000000\r\n\r\n`, 413, 'body_too_large'],
    [
      'a body of over 1 MB in chunks',
      `${post}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}0\r\n\r\n`,
      413,
      'body_too_large',
    ],
    ['an invalid escape', get('/v1/payments/%zz'), 404, 'route_not_found'],
    ['bytes that are not UTF-8', get('/v1/payments/%FF'), 404, 'route_not_found'],
    ['a path of two slashes', get('//v1/payments'), 404, 'route_not_found'],
    ['dots in the path', get('/v1/../../etc'), 404, 'route_not_found'],
    ['a whole URL', get('http://a/v1/none'), 404, 'route_not_found'],
    ['a star', `OPTIONS * HTTP/1.1\r\n${head}\r\n`, 404, 'route_not_found'],
    ['an invalid host', get('/v1/none', 'a b@c'), 403, 'host_refused'],
    ['a host with a path', get('/clock', 'a/_sandbox'), 403, 'host_refused'],
    ['a host with a query', get('/v1/none', 'a/_sandbox/clock?'), 403, 'host_refused'],
  ])('is refused with the envelope: %s', async (_name, text, status, code) => {
    const { url, sandbox } = await start();
    const connection = openConnection(Number(new URL(url).port));
    const ended = new Promise((resolve) => connection.socket.once('close', resolve));
    connection.send(text);
    await ended;
    expect(connection.statuses()).toEqual([status]);
    const { error } = JSON.parse(/\{.*\}/s.exec(connection.received())?.[0] ?? '{}');
    expect(Object.keys(error).sort()).toEqual(['code', 'message', 'params', 'type']);
    expect(error.code).toBe(code);
    if (status === 403) expect(error.message).toContain('allowedHosts');
    expect(sandbox.control.listPayments()).toEqual([]);
  });

  it('is a fault of its client when its body ends early', async () => {
    const { url, sandbox } = await start();
    const connection = openConnection(Number(new URL(url).port));
    connection.send(`${post}Content-Length: 500\r\n\r\n{"reference":`);
    await expect.poll(() => sandbox.control.listRequests()).toHaveLength(1);
    connection.socket.destroy();
    await expect
      .poll(() => sandbox.control.listRequests()[0])
      .toMatchObject({ status: 400, error: { code: 'body_malformed' } });
  });
});
