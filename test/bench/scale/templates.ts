import type { Pool } from 'pg';
import { createPostgresStore } from '../../../server-kit/stores/postgres/store.ts';
import {
  createTestClock,
  createTestShop,
  type Duration,
  type TestShop,
  type TestShopInput,
  type TestShopOptions,
} from '../../../server-kit/tools/testing/index.ts';

/** An order that the checkout itself has written, to be copied many times. */
export type Template = {
  name: string;
  /** Of 10,000 orders. */
  share: number;
  /** The copies are up to this much older. */
  spreadMs: number;
  /** What is another text in each copy. */
  orderId: string;
  reference: string;
  /** As JSON. */
  rows: readonly { table: string; row: string }[];
};

type Life = Pick<Template, 'name' | 'share'> & {
  age: Duration;
  spread: Duration;
  shop?: Exclude<TestShopInput, (...args: never) => unknown>;
  sandbox?: NonNullable<TestShopOptions['sandbox']>;
  /** Default: an order whose account is open for half an hour. */
  open?: (shop: TestShop, orderId: string) => Promise<{ reference: string }>;
  /** What happens right after the order was opened. */
  after?: (shop: TestShop, payment: { reference: string }) => Promise<unknown>;
  /** Between two rounds of the reconciler. */
  step: Duration;
};

const pay: Life['after'] = (shop, payment) => shop.pay(payment);
const day = { hours: 24 };
/** The age of the oldest copies. */
const templateDays = 300;
const failing: Life['shop'] = {
  onPaid() {
    throw new Error('The stock is not reachable.');
  },
};

/** Nearly all orders of a shop are over. What is due later is copied so that nothing is due at the start. */
const lives: readonly Life[] = [
  { name: 'paid', share: 7000, age: { days: 40 }, spread: { days: templateDays }, step: day, after: pay },
  { name: 'paid lately', share: 1700, age: { days: 10 }, spread: { hours: 40 }, step: day, after: pay },
  { name: 'expired', share: 900, age: { days: 10 }, spread: { days: templateDays }, step: day },
  { name: 'expired lately', share: 200, age: { hours: 12 }, spread: { hours: 5 }, step: { minutes: 20 } },
  {
    name: 'open',
    share: 150,
    age: { minutes: 20 },
    spread: { seconds: 50 },
    step: { minutes: 5 },
    open: (shop, orderId) => shop.open({ orderId, expiresInSeconds: 86_400 }),
  },
  {
    name: 'not confirmed',
    share: 16,
    age: { minutes: 5 },
    spread: { seconds: 50 },
    step: { minutes: 1 },
    sandbox: { confirmationSeconds: 3600 },
    after: pay,
  },
  {
    name: 'handler fails',
    share: 2,
    age: { ms: 0 },
    spread: { ms: 0 },
    step: day,
    shop: failing,
    after: pay,
  },
  // Copied later: their handlers were not called yet.
  {
    name: 'waiting',
    share: 0,
    age: { minutes: 1 },
    spread: { seconds: 30 },
    step: { minutes: 1 },
    shop: { handlers: 'elsewhere', onPaid: undefined },
    after: pay,
  },
];

/** Lets the checkout write an order of each kind, each in a time of its own that ends at `nowMs`. */
export async function writeTemplates(pool: Pool, nowMs: number): Promise<Template[]> {
  const templates: Template[] = [];
  for (const life of lives) templates.push(await writeTemplate(pool, life, nowMs));
  return templates;
}

async function writeTemplate(pool: Pool, life: Life, nowMs: number): Promise<Template> {
  const { name, share, step, after } = life;
  const clock = createTestClock(nowMs - toMs(life.age));
  const store = createPostgresStore({ pool, now: clock.now });
  const options: TestShopInput = { store, onPaid: () => {}, ...life.shop };
  const shop = createTestShop(options, { clock, ...(life.sandbox && { sandbox: life.sandbox }) });
  const orderId = `template-${name.replaceAll(' ', '-')}`;
  const open = life.open ?? ((shop, orderId) => shop.open({ orderId }));
  const payment = await open(shop, orderId);
  await after?.(shop, payment);
  while (clock.now() < nowMs) {
    await shop.advance({ ms: Math.min(toMs(step), nowMs - clock.now()) });
    while ((await shop.checkout.reconcile()).hasMore);
  }
  // So that the next verification is as far away as it can be.
  await shop.callBack({ reference: payment.reference });
  const { reference } = payment;
  return {
    name,
    share,
    reference,
    spreadMs: toMs(life.spread),
    orderId,
    rows: await takeRows(pool, [reference, orderId]),
  };
}

/** Removes the rows with one of these names from all tables, and returns them. */
async function takeRows(pool: Pool, names: readonly string[]): Promise<Template['rows']> {
  const taken: { table: string; row: string }[] = [];
  for (const table of await tablesOf(pool)) {
    const sql = `DELETE FROM ${table} AS t
      WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS name WHERE strpos(to_jsonb(t)::text, name) > 0) RETURNING to_jsonb(t)::text AS row`;
    const { rows } = await pool.query<{ row: string }>(sql, [names]);
    taken.push(...rows.map(({ row }) => ({ table, row })));
  }
  return taken;
}

/** Returns the checkout's tables, whatever they are in this version. */
async function tablesOf(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE 'transfer_checkout_%' ORDER BY 1",
  );
  return rows.map(({ tablename }) => tablename as string);
}

function toMs({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Duration): number {
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms;
}
