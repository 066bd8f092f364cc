import type { RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CheckoutOptions } from '../../../server-kit/engine/options.ts';
import type { GetOrderRequest } from '../../../server-kit/engine/order/request.ts';
import { fetchToNodeListener, toNodeListener } from '../../../server-kit/node.ts';
import { createSandbox } from '../../../server-kit/tools/sandbox/index.ts';
import { CheckoutError } from '../../../src/contract/index.ts';
import { settle } from '../../settle.ts';
import { open, watchProcess } from '../kit/raw-connection.ts';
import { serve } from '../kit/serve.ts';
import { createWiredShop, order, shopUrl } from '../kit/wired-shop.ts';

const bodyWithinMs = 15_000;
const json = { 'content-type': 'application/json', 'checkout-contract': '1' };

const requestText = (method: string, host: string, path = '/checkout/sessions/x') =>
  `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const head = (...headers: string[]) =>
  ['POST /checkout/sessions HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...headers, '', ''].join(
    '\r\n',
  );
const unfinishedPost = `${head('Content-Length: 9')}{"a"`;
const ofTwoBytes = `${head('Content-Length: 2')}{}`;

/** A shop behind node:http on a test clock, and a connection to it. */
async function connected(options: Partial<CheckoutOptions> = {}) {
  const shop = createWiredShop(options);
  const { port, url } = await serve(toNodeListener(shop.checkout));
  const { open: openSession, ...rest } = shop;
  const post = () => fetch(`${url}/checkout/sessions`, { method: 'POST', headers: json, body: '{}' });
  return { ...rest, ...open(port), openSession, post, url, port };
}

describe('toNodeListener', () => {
  it('sends the Content-Length in bytes', async () => {
    const getOrder = () => Promise.reject(new CheckoutError('forbidden', 'Your cart — gone.'));
    const { post, sandbox } = await connected({ getOrder });
    const service = await serve(fetchToNodeListener(sandbox.fetch));
    for (const response of [await post(), await fetch(`${service.url}/_sandbox/payments`)]) {
      expect(response.headers.get('transfer-encoding')).toBeNull();
      const { byteLength } = await response.arrayBuffer();
      expect(response.headers.get('content-length')).toBe(String(byteLength));
    }
  });

  it('works below a path that a framework strips, and passes all headers to getOrder', async () => {
    const getOrder = vi.fn((_request: GetOrderRequest) => order);
    const { checkout } = createWiredShop({ getOrder });
    const listener = toNodeListener(checkout);
    const { url } = await serve((request, response) => {
      request.url = request.url?.replace('/pay', '') ?? '/';
      listener(request, response);
    });
    const headers = { ...json, cookie: 'a=1; b=2', origin: url };
    expect((await fetch(`${url}/pay/sessions`, { method: 'POST', headers, body: '{}' })).status).toBe(201);
    expect(getOrder.mock.calls[0]?.[0].headers.get('cookie')).toBe('a=1; b=2');
  });

  it.each(['http://127.0.0.1:1', 'null', ''])('refuses a page of "%s"', async (origin) => {
    const { send, statuses } = await connected();
    send(`${head(`Origin: ${origin}`, 'Content-Length: 2')}{}`);
    await expect.poll(statuses).toEqual([403]);
    // The rest of a refused body does not block the connection.
    send(ofTwoBytes);
    await expect.poll(statuses).toEqual([403, 201]);
  });

  it('does not make a page of another site one of the shop’s by a host with credentials', async () => {
    const { send, statuses } = await connected();
    const origin = 'Origin: http://evil.example\r\nContent-Type: application/json\r\nContent-Length: 2';
    send(`POST /sessions HTTP/1.1\r\nHost: shop.example@evil.example\r\n${origin}\r\n\r\n{}`);
    await expect.poll(statuses).toEqual([404]);
  });
});

describe.each([
  ['toNodeListener', () => toNodeListener(createWiredShop().checkout)],
  ['fetchToNodeListener', () => fetchToNodeListener(createSandbox().fetch)],
])('%s', (_name, createListener: () => RequestListener) => {
  it.each([
    ['TRACE', requestText('TRACE', 'shop.example')],
    ['a host with credentials', requestText('GET', 'a:b@c')],
    ['a host with a user', requestText('GET', 'evil.example@shop.example')],
    ['an invalid host', requestText('GET', '[')],
    ['an empty host', requestText('GET', '')],
    ['a host with a path', requestText('GET', 'shop.example/../x')],
    ...['*', '//', 'http://[', '/%'].map((path) => [path, requestText('OPTIONS', 'a:1', path)]),
  ])('responds to %s, and keeps serving', async (_what, text) => {
    const died = watchProcess();
    const { port } = await serve(createListener());
    for (const sent of [text, requestText('GET', 'shop.example')]) {
      const { send, statuses } = open(port);
      send(sent);
      await expect.poll(statuses).toHaveLength(1);
      expect(statuses()[0]).toBeGreaterThanOrEqual(400);
    }
    expect(died).toEqual([]);
  });

  it('leaves an earlier response of a middleware alone, and does not crash', async () => {
    const died = watchProcess();
    const listener = createListener();
    const { port } = await serve(async (request, response) => {
      listener(request, response);
      response.writeHead(503).write('too ');
      await settle();
      response.end('late.');
    });
    const one = open(port);
    for (const count of [1, 2]) {
      one.send(requestText('GET', 'shop.example'));
      await expect.poll(() => one.received().match(/too [\s\S]*?late\./g)).toHaveLength(count);
    }
    expect(one.statuses()).toEqual([503, 503]);
    expect(died).toEqual([]);
  });

  it('does not crash if the client disconnects in the middle of its body', async () => {
    const died = watchProcess();
    const listener = createListener();
    const closed: Promise<void>[] = [];
    const { port } = await serve((request, response) => {
      closed.push(new Promise((resolve) => response.once('close', () => resolve())));
      listener(request, response);
    });
    const one = open(port);
    one.send(unfinishedPost);
    await expect.poll(() => closed.length).toBe(1);
    one.socket.resetAndDestroy();
    await closed[0];
    await settle();
    expect(died).toEqual([]);
  });
});

it('a browser that disconnects in the middle of its body is not reported to the merchant', async () => {
  const { checkout, errors } = createWiredShop();
  const respond = vi.fn(checkout.respond);
  const one = open((await serve(toNodeListener({ respond }))).port);
  one.send(unfinishedPost);
  await expect.poll(() => respond.mock.calls.length).toBe(1);
  one.socket.destroy();
  expect(await respond.mock.results[0]?.value).toMatchObject({ status: 400 });
  expect(errors).toEqual([]);
});

it('an application that fails ends its connection, and not the process', async () => {
  const died = watchProcess();
  const failing = () => Promise.reject(new Error('no response'));
  for (const listener of [toNodeListener({ respond: failing }), fetchToNodeListener(failing)]) {
    const one = open((await serve(listener)).port);
    one.socket.on('error', () => {});
    const closed = new Promise<void>((resolve) => one.socket.once('close', () => resolve()));
    one.send(requestText('GET', 'a'));
    await closed;
    expect(one.statuses()).toEqual([]);
  }
  expect(died).toEqual([]);
});

it('a fetch handler hears that its client has gone', async () => {
  const handle = vi.fn<(request: Request) => Promise<Response>>(() => new Promise(() => {}));
  const one = open((await serve(fetchToNodeListener(handle))).port);
  one.send(requestText('GET', 'a'));
  await expect.poll(() => handle.mock.lastCall?.[0].signal.aborted).toBe(false);
  one.socket.destroy();
  await expect.poll(() => handle.mock.lastCall?.[0].signal.aborted).toBe(true);
});

describe('pipelined requests', () => {
  it('all stop waiting when the browser disconnects', async () => {
    const { clock, openSession, get, send, socket } = await connected();
    const session = await openSession();
    clock.advance(5000);
    const etag = (await get(session)).headers.get('etag');
    clock.advance(5000);
    const held = `GET /checkout/sessions/${session.reference} HTTP/1.1\r\nHost: a\r\nCheckout-Secret: ${session.clientSecret}\r\nIf-None-Match: ${etag}\r\nPrefer: wait=25\r\n\r\n`;
    send(held.repeat(4));
    await clock.untilWaiting(25_000, 4);
    socket.destroy();
    await expect.poll(clock.pending).toBe(0);
  });

  it('cause no warning, however many they are', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const { send, statuses } = await connected();
    send(requestText('GET', 'a').repeat(30));
    await expect.poll(statuses).toHaveLength(30);
    expect(warnings).toEqual([]);
  });
});

describe('a body over node:http', () => {
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
  const chunked = head('Transfer-Encoding: chunked');

  it.each([
    ['is read as one when it comes in chunks', `${chunked}1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`, [201]],
    ['is refused before it comes if its length says too much', head('Content-Length: 65537'), [413]],
    ['is refused once it is too large, though more chunks may come', chunked + chunk.repeat(5), [413]],
    [
      'leaves the connection to the next request, once all chunks of a body that was too large have come',
      `${chunked}${chunk.repeat(20)}0\r\n\r\n${ofTwoBytes}`,
      [413, 201],
    ],
    ['is refused with two lengths', `${head('Content-Length: 2', 'Transfer-Encoding: chunked')}{}`, [400]],
  ])('%s', async (_name, text, expected) => {
    const { send, statuses, wire, clock } = await connected();
    send(text);
    await expect.poll(statuses).toEqual(expected);
    expect(wire.calls.length > 0).toBe(expected.includes(201));
    await expect.poll(clock.pending).toBe(0);
  });

  it('is cut off, the oldest first, once bodies that have not arrived hold 16 MB', async () => {
    const { port, send, statuses } = await connected();
    const ended: number[] = [];
    for (let index = 0; index < 280; index++) {
      const one = open(port);
      one.socket.once('close', () => ended.push(index));
      one.send(`${head('Content-Length: 65000')}${'x'.repeat(64_000)}`);
    }
    await expect.poll(() => ended.length).toBeGreaterThan(10);
    send(ofTwoBytes);
    await expect.poll(statuses).toEqual([201]);
    expect(ended.length).toBeLessThan(30);
  });
});

const request = (source: UnderlyingDefaultSource<Uint8Array>, { path = 'sessions', headers = {} } = {}) =>
  new Request(`${shopUrl}/checkout/${path}`, {
    method: 'POST',
    body: new ReadableStream(source, { highWaterMark: 0 }),
    duplex: 'half',
    headers: { 'content-type': 'application/json', ...headers },
  } as RequestInit);

describe('a body of a Request', () => {
  it.each(['sessions', 'callbacks'])('is cancelled when it does not arrive at %s', async (path) => {
    const { checkout, clock, wire } = createWiredShop();
    const cancel = vi.fn();
    const start: UnderlyingDefaultSource<Uint8Array>['start'] = (controller) =>
      controller.enqueue(new TextEncoder().encode('{'));
    const response = checkout.handler(request({ start, cancel }, { path }));
    await clock.untilWaiting(bodyWithinMs);
    clock.advance(bodyWithinMs);
    expect((await response).status).toBe(400);
    expect(cancel).toHaveBeenCalledOnce();
    expect([wire.calls, clock.pending()]).toEqual([[], 0]);
  });

  it.each([
    ['is refused before a byte is read if its length says too much', { 'content-length': '65537' }, 0],
    ['is counted over all its parts, and not read further', {}, 5],
  ])('%s', async (_name, headers, expected) => {
    const { checkout } = createWiredShop();
    const part = new Uint8Array(16 * 1024).fill(0x20);
    const pull = vi.fn((controller: ReadableStreamDefaultController) => controller.enqueue(part));
    expect((await checkout.handler(request({ pull }, { headers }))).status).toBe(413);
    expect(pull).toHaveBeenCalledTimes(expected);
  });

  it('may be cut anywhere, within a character too', async () => {
    const getOrder = vi.fn((_request: GetOrderRequest) => order);
    const { checkout } = createWiredShop({ getOrder });
    const note = { note: 'Ẹ kú iṣẹ́ 😀' };
    const start: UnderlyingDefaultSource<Uint8Array>['start'] = (controller) => {
      for (const byte of new TextEncoder().encode(JSON.stringify(note)))
        controller.enqueue(new Uint8Array([byte]));
      controller.close();
    };
    expect((await checkout.handler(request({ start }))).status).toBe(201);
    expect(getOrder.mock.calls[0]?.[0].body).toEqual(note);
  });
});
