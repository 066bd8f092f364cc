import { describe, expect, it } from 'vitest';
import { createWiredShop, order, shopUrl } from '../kit/wired-shop.ts';

const bodyWithinMs = 15_000;

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
    let isCancelled = false;
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
      cancel: () => {
        isCancelled = true;
      },
    };
    const response = checkout.handler(request(source, { path }));
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
