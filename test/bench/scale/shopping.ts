import type { PostgresStore } from '../../../server-kit/stores/postgres/store.ts';
import { createTestShop, type TestClock, type TestShop } from '../../../server-kit/tools/testing/index.ts';
import type { Operation } from './operation.ts';

type Opened = { reference: string; clientSecret: string; etag: string };

const times = 20;
const base = 'https://shop.example/checkout';

/** What happens while a shopper waits, through the routes, each with orders of its own. */
export function shopping(store: PostgresStore, clock: TestClock): Operation[] {
  const shop = createShop(store, clock);
  const { control } = shop.sandbox;
  let opened: Opened;
  return [
    { name: 'new order', times, run: async (index) => (await open(shop, `new-${index}`)) && 'a session' },
    {
      name: 'status read',
      times,
      async prepare() {
        opened = await open(shop, 'read');
        // The first one of a process also verifies the payment.
        await read(shop, opened);
        await shop.settled();
      },
      run: () => read(shop, opened),
    },
    {
      // The sandbox reports that money has come, and that it is confirmed.
      name: 'one paid order, from session to onPaid, two callbacks',
      times,
      run: (index) => payOne(shop, `paid-${index}`, (one) => shop.pay(one)),
    },
    {
      name: 'one paid order, from session to onPaid, one callback',
      times,
      prepare: async () => control.setCallbackDelivery({ drop: 1 }),
      run: (index) =>
        payOne(shop, `paid-once-${index}`, async (one) => {
          await shop.pay(one);
          control.resendCallback(control.listCallbacks()[0]?.id ?? '');
          await shop.settled();
        }),
    },
  ];
}

function createShop(store: PostgresStore, clock: TestClock): TestShop {
  const getOrder = ({ body }: { body: unknown }) => ({
    orderId: (body as { orderId: string }).orderId,
    amount: { value: 1_250_000, currency: 'NGN' as const },
  });
  return createTestShop({ store, getOrder, onPaid: () => {}, limits: false }, { clock });
}

const request = ({ checkout }: TestShop, path: string, init: RequestInit): Promise<Response> =>
  checkout.handler(new Request(`${base}${path}`, init));

async function open(shop: TestShop, orderId: string): Promise<Opened> {
  const headers = { 'content-type': 'application/json', 'checkout-contract': '1' };
  const init = { method: 'POST', headers, body: JSON.stringify({ orderId }) };
  const response = await request(shop, '/sessions', init);
  if (!response.ok) throw new Error(`A session got ${response.status}: ${await response.text()}`);
  const session = (await response.json()) as Opened;
  return { ...session, etag: response.headers.get('etag') ?? '' };
}

/** Returns the outcome. */
async function read(shop: TestShop, { reference, clientSecret }: Opened, headers = {}): Promise<string> {
  const init = { headers: { 'checkout-secret': clientSecret, 'checkout-contract': '1', ...headers } };
  const response = await request(shop, `/sessions/${reference}`, init);
  return ((await response.json()) as { outcome: string }).outcome;
}

/** Opens an order and holds a request until it is paid. */
async function payOne(
  shop: TestShop,
  orderId: string,
  pay: (opened: Opened) => Promise<unknown>,
): Promise<string> {
  const opened = await open(shop, orderId);
  const held = read(shop, opened, { 'if-none-match': opened.etag, prefer: 'wait=25' });
  await pay(opened);
  return held;
}
