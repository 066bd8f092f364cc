import { describe, expect, it } from 'vitest';
import { codeOf, readSession } from '../../kit/wire-faults.ts';
import { createWiredShop, shopUrl } from '../../kit/wired-shop.ts';

const json = { 'content-type': 'application/json' };

describe('a checkout that is mounted at /sessions', () => {
  it.each(['/sessions/sessions', '/api/sessions/sessions', '/sessions/sessions/'])(
    'makes sessions at %s, and reads them below',
    async (path) => {
      const { post, checkout } = createWiredShop();
      const response = await post({}, '{}', path);
      expect(response.status).toBe(201);
      const { reference, clientSecret } = await readSession(response);
      const read = await checkout.handler(
        new Request(`${shopUrl}${path.replace(/\/$/, '')}/${reference}`, {
          headers: { authorization: `Bearer ${clientSecret}` },
        }),
      );
      expect(read.status).toBe(200);
    },
  );
});

describe('behind a reverse proxy that rewrites Host', () => {
  const sendTo = (url: string, origin: string) =>
    createWiredShop().checkout.handler(
      new Request(`${url}/checkout/sessions`, { method: 'POST', headers: { ...json, origin }, body: '{}' }),
    );

  it('a page of publicUrl is the shop’s own', async () => {
    expect((await sendTo('http://10.0.0.7:3000', shopUrl)).status).toBe(201);
  });

  it.each(['https://evil.example', 'http://shop.example', 'https://shop.example.evil.example', 'null', ''])(
    'a page of "%s" is not',
    async (origin) => {
      const response = await sendTo('http://10.0.0.7:3000', origin);
      expect(response.status).toBe(403);
      expect(await codeOf(response)).toBe('origin_not_allowed');
    },
  );

  it('a page of the host that was asked is', async () => {
    expect((await sendTo('http://localhost:3000', 'http://localhost:3000')).status).toBe(201);
    expect((await sendTo('http://localhost:3000', 'http://localhost:3001')).status).toBe(403);
  });
});

describe('the ETag of a POST', () => {
  it('is the ETag of the view, so that the first GET can be a 304', async () => {
    const { post, get, open, clock } = createWiredShop();
    await open();
    clock.advance(5000);
    const reload = await post();
    const etag = reload.headers.get('etag') ?? '';
    const session = await readSession(reload);
    expect((await get(session)).headers.get('etag')).toBe(etag);
    expect((await get(session, { 'if-none-match': etag })).status).toBe(304);
  });
});

describe('the body of a POST', () => {
  const bodyOf = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;

  it('may have 65,536 bytes, and no more', async () => {
    expect((await createWiredShop().post({}, bodyOf(65_536))).status).toBe(201);
    expect((await createWiredShop().post({}, bodyOf(65_537))).status).toBe(413);
  });

  it('is counted in bytes, not in characters', async () => {
    expect((await createWiredShop().post({}, `"${'ẹ'.repeat(30_000)}"`)).status).toBe(413);
  });

  it('is counted over all its parts, and not read further', async () => {
    let parts = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        parts++;
        controller.enqueue(new Uint8Array(16 * 1024).fill(0x20));
      },
    });
    const init = { method: 'POST', headers: json, body, duplex: 'half' } as const;
    const { checkout } = createWiredShop();
    expect((await checkout.handler(new Request(`${shopUrl}/sessions`, init))).status).toBe(413);
    expect(parts).toBeLessThan(10);
  });

  it('may be cut anywhere, within a character too', async () => {
    let seen: unknown;
    const { checkout } = createWiredShop({
      createPayment: ({ body }) => {
        seen = body;
        return { orderId: 'o', amount: { value: 100, currency: 'NGN' } };
      },
    });
    const bytes = new TextEncoder().encode('{"note":"Ẹ kú iṣẹ́ 😀"}');
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    const init = { method: 'POST', headers: json, body, duplex: 'half' } as const;
    expect((await checkout.handler(new Request(`${shopUrl}/sessions`, init))).status).toBe(201);
    expect(seen).toEqual({ note: 'Ẹ kú iṣẹ́ 😀' });
  });

  it('that ends within a character is refused', async () => {
    const body = new Uint8Array([0x22, 0xf0, 0x9f]);
    expect((await createWiredShop().post({}, body)).status).toBe(400);
  });
});
