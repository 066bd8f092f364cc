import { describe, expect, it } from 'vitest';
import { toNodeListener } from '../../../server-kit/node.ts';
import { open } from '../kit/raw-connection.ts';
import { serve } from '../kit/serve.ts';
import { createWiredShop, order, shopUrl } from '../kit/wired-shop.ts';

const bodyWithinMs = 15_000;

const head = (...headers: string[]) =>
  ['POST /checkout/sessions HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...headers, '', ''].join(
    '\r\n',
  );

/** A shop behind node:http on a test clock, and a connection to it. */
async function connected() {
  const shop = createWiredShop();
  const listener = toNodeListener(shop.checkout);
  const { port } = await serve(listener);
  const connection = open(port);
  return { ...shop, ...connection };
}

describe('a body over node:http', () => {
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
  const chunked = head('Transfer-Encoding: chunked');
  const ofTwoBytes = `${head('Content-Length: 2')}{}`;

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
    const { send, statuses, wire } = await connected();
    send(text);
    await expect.poll(statuses).toEqual(expected);
    expect(wire.calls.length > 0).toBe(expected.includes(201));
  });

  it('is waited for while it does not arrive', async () => {
    const { send, statuses, received, clock } = await connected();
    send(`${head('Content-Length: 9')}{"a"`);
    await clock.untilWaiting(bodyWithinMs);
    clock.advance(bodyWithinMs - 1);
    expect(statuses()).toEqual([]);
    clock.advance(1);
    await expect.poll(statuses).toEqual([400]);
    expect(received()).toContain('did not arrive within 15 seconds');
    expect(clock.pending()).toBe(0);
  });

  it('is cut off, the oldest first, once bodies that have not arrived hold 16 MB', async () => {
    const { port } = await serve(toNodeListener(createWiredShop().checkout));
    const ended: number[] = [];
    for (let index = 0; index < 280; index++) {
      const { socket, send } = open(port);
      socket.once('close', () => ended.push(index));
      send(`${head('Content-Length: 65000')}${'x'.repeat(64_000)}`);
    }
    await expect.poll(() => ended.length).toBeGreaterThan(10);
    const { send, statuses } = open(port);
    send(ofTwoBytes);
    await expect.poll(statuses).toEqual([201]);
    expect(ended.length).toBeLessThan(30);
  });

  it('leaves no timer once it has arrived', async () => {
    const { send, statuses, clock } = await connected();
    send(ofTwoBytes);
    await expect.poll(statuses).toEqual([201]);
    await expect.poll(clock.pending).toBe(0);
  });
});

describe('a body of a Request', () => {
  const request = (source: UnderlyingDefaultSource<Uint8Array>, { path = 'sessions', headers = {} } = {}) =>
    new Request(`${shopUrl}/checkout/${path}`, {
      method: 'POST',
      body: new ReadableStream(source, { highWaterMark: 0 }),
      duplex: 'half',
      headers: { 'content-type': 'application/json', ...headers },
    } as RequestInit);

  it.each(['sessions', 'callbacks'])('is cancelled when it does not arrive at %s', async (path) => {
    const { checkout, clock, wire } = createWiredShop();
    let isCancelled = false;
    const cancel = () => {
      isCancelled = true;
    };
    const start: UnderlyingDefaultSource<Uint8Array>['start'] = (controller) =>
      controller.enqueue(new TextEncoder().encode('{'));
    const response = checkout.handler(request({ start, cancel }, { path }));
    await clock.untilWaiting(bodyWithinMs);
    clock.advance(bodyWithinMs);
    expect((await response).status).toBe(400);
    expect([isCancelled, wire.calls, clock.pending()]).toEqual([true, [], 0]);
  });

  it.each([
    ['is refused before a byte is read if its length says too much', { 'content-length': '65537' }, 0],
    ['is counted over all its parts, and not read further', {}, 5],
  ])('%s', async (_name, headers, expected) => {
    const { checkout } = createWiredShop();
    let parts = 0;
    const pull: UnderlyingDefaultSource<Uint8Array>['pull'] = (controller) => {
      parts++;
      controller.enqueue(new Uint8Array(16 * 1024).fill(0x20));
    };
    expect((await checkout.handler(request({ pull }, { headers }))).status).toBe(413);
    expect(parts).toBe(expected);
  });

  it('may be cut anywhere, within a character too', async () => {
    let seen: unknown;
    const { checkout } = createWiredShop({
      getOrder: ({ body }) => {
        seen = body;
        return order;
      },
    });
    const note = { note: 'Ẹ kú iṣẹ́ 😀' };
    const start: UnderlyingDefaultSource<Uint8Array>['start'] = (controller) => {
      for (const byte of new TextEncoder().encode(JSON.stringify(note)))
        controller.enqueue(new Uint8Array([byte]));
      controller.close();
    };
    expect((await checkout.handler(request({ start }))).status).toBe(201);
    expect(seen).toEqual(note);
  });
});
