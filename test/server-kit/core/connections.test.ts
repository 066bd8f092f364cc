import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchToNodeListener, toNodeListener } from '../../../server-kit/node.ts';
import { createSandbox } from '../../../server-kit/tools/sandbox/index.ts';
import { settle } from '../../settle.ts';
import { open, watchProcess } from '../kit/raw-connection.ts';
import { serve } from '../kit/serve.ts';
import { createWiredShop } from '../kit/wired-shop.ts';

const requestText = (method: string, host: string, path = '/checkout/sessions/x') =>
  `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

const unfinishedPost =
  'POST /checkout/sessions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"';

const requests: [string, string][] = [
  ['TRACE', requestText('TRACE', 'shop.example')],
  ['a host with credentials', requestText('GET', 'a:b@c')],
  ['a host with a user', requestText('GET', 'evil.example@shop.example')],
  ['an invalid host', requestText('GET', '[')],
  ['an empty host', requestText('GET', '')],
  ['a host with a path', requestText('GET', 'shop.example/../x')],
];

describe.each([
  ['toNodeListener', () => toNodeListener(createWiredShop().checkout)],
  ['fetchToNodeListener', () => fetchToNodeListener(createSandbox().fetch)],
])('%s', (_name, createListener) => {
  it.each(requests)('responds to %s, and keeps serving', async (_what, text) => {
    const died = watchProcess();
    const { port } = await serve(createListener());
    const first = open(port);
    first.send(text);
    await expect.poll(first.statuses).toHaveLength(1);
    expect(first.statuses()[0]).toBeGreaterThanOrEqual(400);
    const second = open(port);
    second.send(requestText('GET', 'shop.example'));
    await expect.poll(second.statuses).toHaveLength(1);
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

describe('a browser that disconnects in the middle of its body', () => {
  it('is not reported to the merchant', async () => {
    const { checkout, errors } = createWiredShop();
    const statuses: number[] = [];
    const respond: typeof checkout.respond = async (request) => {
      const response = await checkout.respond(request);
      statuses.push(response.status);
      return response;
    };
    let asked = 0;
    const listener = toNodeListener({ respond });
    const { port } = await serve((request, response) => {
      asked++;
      listener(request, response);
    });
    const one = open(port);
    one.send(unfinishedPost);
    await expect.poll(() => asked).toBe(1);
    one.socket.destroy();
    await expect.poll(() => statuses).toEqual([400]);
    expect(errors).toEqual([]);
  });
});

describe('an application that fails', () => {
  it('ends this connection, and not the process', async () => {
    const died = watchProcess();
    const failing = async (): Promise<never> => {
      throw new Error('no response');
    };
    const listeners = [toNodeListener({ respond: failing }), fetchToNodeListener(failing)];
    for (const listener of listeners) {
      const one = open((await serve(listener)).port);
      one.socket.on('error', () => {});
      const closed = new Promise<void>((resolve) => one.socket.once('close', () => resolve()));
      one.send(requestText('GET', 'a'));
      await closed;
      expect(one.statuses()).toEqual([]);
    }
    expect(died).toEqual([]);
  });
});

describe('pipelined requests', () => {
  it('all end when the connection closes', async () => {
    const { checkout, clock, open: openSession, get } = createWiredShop();
    const session = await openSession();
    clock.advance(5000);
    const etag = (await get(session)).headers.get('etag');
    clock.advance(5000);
    const one = open((await serve(toNodeListener(checkout))).port);
    const held = `GET /checkout/sessions/${session.reference} HTTP/1.1\r\nHost: a\r\nCheckout-Secret: ${session.clientSecret}\r\nIf-None-Match: ${etag}\r\nPrefer: wait=25\r\n\r\n`;
    one.send(held.repeat(4));
    await clock.untilWaiting(25_000, 4);
    one.socket.destroy();
    await expect.poll(clock.pending).toBe(0);
  });

  it('cause no warning, however many they are', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const one = open((await serve(toNodeListener(createWiredShop().checkout))).port);
    one.send(requestText('GET', 'a').repeat(30));
    await expect.poll(one.statuses).toHaveLength(30);
    expect(warnings).toEqual([]);
  });

  it('leave no listeners on the socket after their responses', async () => {
    const { checkout } = createWiredShop();
    const listener = toNodeListener(checkout);
    const sockets = new Set<Socket>();
    const listenersBefore: number[] = [];
    const { port } = await serve((request: IncomingMessage, response) => {
      sockets.add(request.socket);
      listenersBefore.push(request.socket.listenerCount('close'));
      listener(request, response);
    });
    const one = open(port);
    for (const count of [1, 2, 3, 4]) {
      one.send(requestText('GET', 'a'));
      await expect.poll(one.statuses).toHaveLength(count);
    }
    expect(sockets.size).toBe(1);
    expect(new Set(listenersBefore).size).toBe(1);
  });
});

describe('the rest of a refused body', () => {
  it('does not block the connection', async () => {
    const one = open((await serve(toNodeListener(createWiredShop().checkout))).port);
    const post = (origin: string) =>
      `POST /checkout/sessions HTTP/1.1\r\nHost: shop.example\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
    one.send(post('https://evil.example'));
    one.send(post('https://shop.example'));
    await expect.poll(one.statuses).toEqual([403, 201]);
  });
});

describe('a host with credentials', () => {
  it('does not make a page of another site one of the shop’s', async () => {
    const one = open((await serve(toNodeListener(createWiredShop().checkout))).port);
    const origin = 'Origin: http://evil.example\r\nContent-Type: application/json\r\nContent-Length: 2';
    one.send(`POST /sessions HTTP/1.1\r\nHost: shop.example@evil.example\r\n${origin}\r\n\r\n{}`);
    await expect.poll(one.statuses).toEqual([404]);
  });
});
