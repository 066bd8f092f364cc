import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../src/contract/index.ts';
import type { RuntimeProcess } from '../mounting/runtime-process.ts';
import { type InstalledExample, installExample } from './installed-example.ts';

/** The programs of an example, and the ports that its files name. */
const programs = { sandbox: '4010', shop: '3001', checkout: '3002', proxy: '3000' } as const;
type Program = keyof typeof programs;

const price = 650_000;
const patience = { timeout: 60_000, interval: 200 };

/** Tests an example for shops in other languages, whose programs are killed one by one while shoppers pay. */
export function describeBackend(name: string): void {
  describe(`the shop in ${name} beside the checkout process`, () => {
    let example: InstalledExample;
    const running = new Map<Program, RuntimeProcess>();
    const start = async (program: Program) =>
      running.set(program, await example.startOne(program, programs[program]));
    const kill = (program: Program) => running.get(program)?.kill();
    beforeAll(async () => {
      example = await installExample(name);
      for (const program of Object.keys(programs) as Program[]) await start(program);
    });
    afterAll(async () => {
      for (const program of running.values()) await program.kill();
      await example?.remove();
    });

    it('marks each order once, paid exactly, with less, late or twice, whichever program is killed', async () => {
      const shoppers = [];
      for (let count = 0; count < 4; count++) shoppers.push(await buy(example));
      const [exact, less, late, twice] = shoppers as [Shopper, Shopper, Shopper, Shopper];
      for (const { session } of [less, twice])
        await control(example, `payments/${session.reference}`, {
          acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY',
        });

      await kill('shop');
      await transfer(example, exact, price);
      await vi.waitFor(() => expect(running.get('checkout')?.output()).toContain('handlerFailed'), patience);
      await kill('checkout');
      await transfer(example, less, price - 100_000);
      await start('shop');
      await start('checkout');
      await vi.waitFor(
        async () => expect(await readOrder(example, exact)).toMatchObject({ isPaid: true }),
        patience,
      );
      await vi.waitFor(
        async () => expect(await readOrder(example, less)).toMatchObject({ isPaid: false, asksAPerson: 1 }),
        patience,
      );

      await transfer(example, twice, price);
      await vi.waitFor(async () => expect((await readOrder(example, twice)).isPaid).toBe(true), patience);
      await kill('checkout');
      await transfer(example, twice, price);
      await start('checkout');
      await vi.waitFor(async () => expect((await readOrder(example, twice)).asksAPerson).toBe(1), patience);

      await control(example, 'clock', { advanceSeconds: 31 * 60 });
      await transfer(example, late, price);
      await vi.waitFor(async () => expect((await readOrder(example, late)).isPaid).toBe(true), patience);

      expect(await Promise.all(shoppers.map((shopper) => readOrder(example, shopper)))).toEqual([
        { isPaid: true, shipped: 1, asksAPerson: 0 },
        { isPaid: false, shipped: 0, asksAPerson: 1 },
        { isPaid: true, shipped: 1, asksAPerson: 0 },
        { isPaid: true, shipped: 1, asksAPerson: 1 },
      ]);
      const page = await fetch(`${example.pageUrl}/order`, { headers: { cookie: exact.cookie } });
      expect(await page.text()).toContain('Paid. We are packing your book.');
    });

    it('refuses a wrong signature and an old timestamp, and takes a right one', async () => {
      const env = await readFile(join(example.folder, '.env'), 'utf8');
      const [, secret = ''] = /^WEBHOOK_SECRET=whsec_(.*)$/m.exec(env) ?? [];
      const send = async ({ afterMs = 0, body = '{"type":"test","data":{}}' } = {}) => {
        const timestamp = String(Math.floor((Date.now() + afterMs) / 1000));
        const signed = `test_1.${timestamp}.{"type":"test","data":{}}`;
        const key = Buffer.from(secret, 'base64');
        const headers = {
          'webhook-id': 'test_1',
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
        };
        const url = `${example.urlOf('3001').replace('localhost', '127.0.0.1')}/shop/webhook`;
        return (await fetch(url, { method: 'POST', headers, body })).status;
      };
      expect(await send()).toBe(204);
      expect(await send({ body: '{"type":"test","data":{"forged":true}}' })).toBe(401);
      expect(await send({ afterMs: -6 * 60_000 })).toBe(401);
      expect(await send({ afterMs: 6 * 60_000 })).toBe(401);
    });
  });
}

type Shopper = { cookie: string; orderId: string; session: Session };

async function buy({ pageUrl }: InstalledExample): Promise<Shopper> {
  const bought = await fetch(`${pageUrl}/orders`, { method: 'POST', redirect: 'manual' });
  const [cookie = ''] = (bought.headers.get('set-cookie') ?? '').split(';');
  const headers = { 'content-type': 'application/json', cookie };
  const opened = await fetch(`${pageUrl}/checkout/sessions`, { method: 'POST', headers, body: '{}' });
  expect(opened.status).toBe(201);
  return { cookie, orderId: cookie.replace('order=', ''), session: (await opened.json()) as Session };
}

async function control({ sandboxUrl }: InstalledExample, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  expect((await fetch(`${sandboxUrl}/_sandbox/${path}`, init)).status).toBe(200);
}

const transfer = (example: InstalledExample, { session }: Shopper, amount: number): Promise<void> =>
  control(example, 'transfers', { accountNumber: session.account.number, amount });

/** What the shop has recorded of an order, and how often. */
async function readOrder({ folder }: InstalledExample, { orderId }: Shopper) {
  const database = createClient({ url: `file:${join(folder, 'shop.db')}` });
  const { rows } = await database.execute({ sql: 'SELECT * FROM orders WHERE id = ?', args: [orderId] });
  database.close();
  const note = String(rows[0]?.note ?? '');
  return {
    isPaid: rows[0]?.paid_at != null,
    shipped: note.split('is paid: ship it.').length - 1,
    asksAPerson: note.split('a person must decide.').length - 1,
  };
}
