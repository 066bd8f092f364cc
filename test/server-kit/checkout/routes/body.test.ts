import { describe, expect, it } from 'vitest';
import { toNodeListener } from '../../../../server-kit/http/node.ts';
import { open } from '../../kit/raw-connection.ts';
import { serve } from '../../kit/serve.ts';
import { createWiredShop, shopUrl } from '../../kit/wired-shop.ts';

const bodyWithinMs = 15_000;
const restWithinMs = 5000;

const head = (...headers: string[]) =>
  ['POST /checkout/sessions HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...headers, '', ''].join(
    '\r\n',
  );

/** A shop behind node:http on a test clock, and a connection to it. */
async function connected() {
  const shop = createWiredShop();
  const { clock } = shop;
  const listener = toNodeListener(shop.checkout, { wait: clock.wait });
  const { port } = await serve(listener);
  const connection = open(port);
  let isClosed = false;
  connection.socket
    .on('error', () => {})
    .on('close', () => {
      isClosed = true;
    });
  return { ...shop, ...connection, isClosed: () => isClosed };
}

describe('a body over node:http', () => {
  it('that comes in chunks is read as one', async () => {
    const { send, statuses } = await connected();
    send(`${head('Transfer-Encoding: chunked')}1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`);
    await expect.poll(statuses).toEqual([201]);
  });

  it('whose length says too much is refused before it comes', async () => {
    const { send, statuses, wire } = await connected();
    send(head('Content-Length: 65537'));
    await expect.poll(statuses).toEqual([413]);
    expect(wire.calls).toEqual([]);
  });

  it('in chunks is refused once it is too large, though more may come', async () => {
    const { send, statuses } = await connected();
    send(head('Transfer-Encoding: chunked'));
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    for (let count = 0; count < 5; count++) send(chunk);
    await expect.poll(statuses).toEqual([413]);
  });

  it('in chunks that was too large leaves the connection to the next request, once it has come', async () => {
    const { send, statuses } = await connected();
    send(head('Transfer-Encoding: chunked'));
    for (let count = 0; count < 20; count++) send(`4000\r\n${'x'.repeat(0x4000)}\r\n`);
    send(`0\r\n\r\n${head('Content-Length: 2')}{}`);
    await expect.poll(statuses).toEqual([413, 201]);
  });

  it('with two lengths is refused', async () => {
    const { send, statuses } = await connected();
    send(`${head('Content-Length: 2', 'Transfer-Encoding: chunked')}{}`);
    await expect.poll(statuses).toEqual([400]);
  });

  it('that does not come is waited for so long, and then its connection ends', async () => {
    const { send, statuses, received, clock, isClosed } = await connected();
    send(`${head('Content-Length: 9')}{"a"`);
    await clock.untilWaiting(bodyWithinMs);
    clock.advance(bodyWithinMs - 1);
    expect(statuses()).toEqual([]);
    clock.advance(1);
    await expect.poll(statuses).toEqual([400]);
    expect(received()).toContain('did not arrive within 15 seconds');
    await clock.untilWaiting(restWithinMs);
    expect(isClosed()).toBe(false);
    clock.advance(restWithinMs);
    await expect.poll(isClosed).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  it('leaves no timer when it has come', async () => {
    const { send, statuses, clock } = await connected();
    send(`${head('Content-Length: 2')}{}`);
    await expect.poll(statuses).toEqual([201]);
    await expect.poll(clock.pending).toBe(0);
  });
});

describe('a body of a Request', () => {
  const post = (body: ReadableStream<Uint8Array>, headers: Record<string, string> = {}) =>
    new Request(`${shopUrl}/checkout/sessions`, {
      ...{ method: 'POST', body, duplex: 'half' },
      headers: { 'content-type': 'application/json', ...headers },
    } as RequestInit);

  it('that does not come is waited for so long, and let go of', async () => {
    const { checkout, clock, wire } = createWiredShop();
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
      cancel() {
        isCancelled = true;
      },
    });
    const response = checkout.handler(post(body));
    await clock.untilWaiting(bodyWithinMs);
    clock.advance(bodyWithinMs);
    expect((await response).status).toBe(400);
    expect(isCancelled).toBe(true);
    expect(wire.calls).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it('whose length says too much is refused before a byte is read', async () => {
    const { checkout } = createWiredShop();
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulls++;
          controller.enqueue(new TextEncoder().encode('{}'));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    expect((await checkout.handler(post(body, { 'content-length': '65537' }))).status).toBe(413);
    expect(pulls).toBe(0);
  });

  it('of a callback has the same limits', async () => {
    const { checkout, clock } = createWiredShop();
    const response = checkout.handler(
      new Request(`${shopUrl}/checkout/callbacks`, {
        ...{ method: 'POST', body: new ReadableStream(), duplex: 'half' },
      } as RequestInit),
    );
    await clock.untilWaiting(bodyWithinMs);
    clock.advance(bodyWithinMs);
    expect((await response).status).toBe(400);
  });
});
