import { type ClientHttp2Stream, connect, createServer, type OutgoingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { GetOrderRequest } from '../../../server-kit/engine/order/request.ts';
import { type CheckoutListener, toNodeListener } from '../../../server-kit/node.ts';
import type { Session } from '../../../src/contract/index.ts';
import { createWiredShop, order } from '../kit/wired-shop.ts';

/** Connects to an HTTP/2 server on a free port; both close with the test. */
async function connectTo(listener: CheckoutListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = connect(`http://${host}`);
  onTestFinished(async () => {
    connection.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const begin = (headers: OutgoingHttpHeaders): ClientHttp2Stream => connection.request(headers);
  const send = async (headers: OutgoingHttpHeaders, body?: string) => {
    const stream = begin(headers);
    const responded = new Promise<OutgoingHttpHeaders>((resolve, reject) => {
      stream.once('response', resolve).once('error', reject);
    });
    stream.end(body);
    const received = await responded;
    return { status: received[':status'], headers: received, text: await text(stream) };
  };
  const post = (headers: OutgoingHttpHeaders = {}, body = '{}') =>
    send(
      { ':method': 'POST', ':path': '/checkout/sessions', 'content-type': 'application/json', ...headers },
      body,
    );
  const get = ({ reference, clientSecret }: Session, headers: OutgoingHttpHeaders = {}) => ({
    ':path': `/checkout/sessions/${reference}`,
    'checkout-secret': clientSecret,
    ...headers,
  });
  return { host, begin, send, post, get };
}

describe('toNodeListener over HTTP/2', () => {
  it('serves the checkout to pages of the requested host, with Content-Length', async () => {
    const { host, post, send, get } = await connectTo(toNodeListener(createWiredShop().checkout));
    const made = await post({ origin: `http://${host}` });
    expect(made.status).toBe(201);
    expect(made.headers['content-length']).toBe(String(Buffer.byteLength(made.text)));
    const session = JSON.parse(made.text) as Session;
    const read = await send(get(session));
    expect(read.status).toBe(200);
    const again = await send(get(session, { 'if-none-match': read.headers.etag }));
    expect([again.status, again.text, again.headers['content-length']]).toEqual([304, '', undefined]);
  });

  it('passes all headers to getOrder, and joins a split cookie', async () => {
    const getOrder = vi.fn((_request: GetOrderRequest) => order);
    const { post } = await connectTo(toNodeListener(createWiredShop({ getOrder }).checkout));
    expect((await post({ cookie: ['a=1', 'b=2'], 'x-cart': '7' })).status).toBe(201);
    const seen = Object.fromEntries(getOrder.mock.calls[0]?.[0].headers ?? []);
    expect(seen).toEqual({ 'content-type': 'application/json', cookie: 'a=1; b=2', 'x-cart': '7' });
  });

  it('stops waiting when the browser disconnects', async () => {
    const { checkout, clock, open } = createWiredShop();
    const { send, begin, get } = await connectTo(toNodeListener(checkout));
    const session = await open();
    clock.advance(5000);
    const { headers } = await send(get(session));
    const held = begin(get(session, { 'if-none-match': headers.etag, prefer: 'wait=25' }));
    held.on('error', () => {});
    await clock.untilWaiting(2000);
    held.close(8);
    await expect.poll(() => clock.pending()).toBe(0);
  });
});
