import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { fetchToNodeListener, toNodeListener } from '../../server-kit/node.ts';
import { createCallback } from '../../server-kit/tools/testing/index.ts';
import { CheckoutError, type Session } from '../../src/contract/index.ts';
import { callbackUrl, createNotifiedShop } from '../server-kit/kit/notified-shop.ts';
import { nextTurn } from '../server-kit/kit/test-clock.ts';
import { order, shopUrl } from '../server-kit/kit/wired-shop.ts';
import { fuzz } from './fuzz.ts';
import { anyConnection, type Connection, write } from './raw-requests.ts';

const keys = ['a-client-secret-key-7c1e55d0b2-of-the-fuzz', 'an-older-secret-key-90ab3f61e4-of-the-fuzz'];
const operatorKey = 'a-operator-key-2b8d4470f1-of-the-fuzz';

function startShop() {
  const orders = new Set<string>();
  const shop = createNotifiedShop({
    clientSecretKeys: keys,
    operatorKey,
    limits: false,
    getOrder: ({ body }) => {
      const { orderId } = Object(body) as { orderId?: unknown };
      if (typeof orderId !== 'string' || !orders.has(orderId)) throw new CheckoutError('forbidden');
      return { ...order, orderId };
    },
  });
  const open = async (): Promise<{ orderId: string; session: Session }> => {
    const orderId = `order-${orders.size}`;
    orders.add(orderId);
    const response = await shop.post({}, JSON.stringify({ orderId }));
    return { orderId, session: (await response.json()) as Session };
  };
  return { ...shop, open };
}

const shop = startShop();
const servers: Server[] = [];
/** Another shopper's, which no response and no log entry may contain. */
let other: Session;

async function listen(listener: RequestListener): Promise<number> {
  // A client that has sent everything still gets its responses; one that has not has cut its request.
  const server = Object.assign(createServer(listener), { httpAllowHalfOpen: true });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

let ports: readonly number[];
beforeAll(async () => {
  ports = [
    await listen(toNodeListener(shop.checkout)),
    await listen(fetchToNodeListener(shop.checkout.handler)),
  ];
  other = (await shop.open()).session;
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** Sends the bytes, ends the connection, and returns what was received until the server has ended it. */
async function exchange(port: number, bytes: string, isReset: boolean): Promise<string> {
  let received = '';
  let isClosed = false;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => {});
  socket.on('end', () => socket.end());
  socket.on('close', () => {
    isClosed = true;
  });
  if (isReset) socket.write(bytes, 'latin1', () => socket.resetAndDestroy());
  else socket.end(bytes, 'latin1');
  // Held responses and slow bodies end with the time that passes.
  for (; !isClosed; shop.clock.advance(1000)) await nextTurn();
  return received;
}

const secrets = [...keys, operatorKey, 'sk_test_sandbox', 'pk_test_sandbox'];

describe('any bytes on a connection', () => {
  const check = async ({ port, requests, isReset, cutAt }: Connection): Promise<void> => {
    const { orderId, session } = await shop.open();
    const callback = await createCallback({
      callbackUrl,
      signedAtMs: shop.clock.now(),
      data: { id: 'x', reference: session.reference, status: 'succeeded', chargedAmount: 5 },
    });
    const signed = { headers: Object.fromEntries(callback.headers), body: await callback.text() };
    const facts = { session, orderId, operatorKey, callback: signed, host: new URL(shopUrl).host };
    const bytes = requests.map((request) => write(request, facts)).join('');
    shop.log.length = 0;
    const received = await exchange(ports[port % ports.length] as number, bytes.slice(0, cutAt), isReset);
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    for (const status of statuses) expect(status).toBeLessThan(500);
    for (const secret of [...secrets, other.clientSecret]) expect(received).not.toContain(secret);
    const logged = inspect(shop.log, { depth: 9 });
    for (const secret of [...secrets, other.clientSecret, session.clientSecret])
      expect(logged).not.toContain(secret);
    await expectPaidOnce(orderId, session);
  };

  fuzz('get no 5xx and no secret of anybody else, and the order is paid once', anyConnection, check, {
    share: 0.2,
  });
});

async function expectPaidOnce(orderId: string, { account }: Session): Promise<void> {
  shop.notified.length = 0;
  shop.pay(account.number);
  await shop.delivered();
  await shop.roundAfter(61_000);
  expect(shop.notified.filter((key) => key.startsWith(`${orderId}:`))).toEqual([`${orderId}:paid`]);
}
