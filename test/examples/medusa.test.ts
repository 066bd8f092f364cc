import { join } from 'node:path';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres } from '../server-kit/kit/services.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { fillCart, openAccount, paidRecords, pay, readRecords } from './medusa/medusa-order.ts';
import { createMedusaShop, type MedusaShop, until } from './medusa/medusa-shop.ts';

describe.skipIf(!(await hasPostgres()))('an order in Medusa', () => {
  let shop: MedusaShop;
  let pool: Pool;
  beforeAll(async () => {
    shop = await createMedusaShop(join(projectFolder, 'demo/examples/medusa'));
    pool = new Pool({ connectionString: shop.databaseUrl });
  });
  afterAll(async () => {
    await pool?.end();
    await shop?.close();
  });

  const isPaid = (cartId: string) => async (): Promise<boolean> => {
    expect(await readRecords(pool, cartId)).toEqual(paidRecords);
    return true;
  };

  it('is placed and paid once the service has confirmed the money', async () => {
    const { cartId, collectionId } = await fillCart(shop);
    const opened = await openAccount(shop, collectionId);
    expect(opened).toMatchObject({ amount: { value: 1_250_000, currency: 'NGN' }, liveMode: false });
    pay(shop, opened);
    await until(isPaid(cartId));
    const { order } = await shop.api<{ order: { id: string } }>(`/store/carts/${cartId}/complete`, {});
    expect(await shop.api(`/store/orders/${order.id}?fields=payment_status,total`)).toMatchObject({
      order: { payment_status: 'captured', total: 12500 },
    });
  });

  it('is not placed before, whatever the storefront asks for', async () => {
    const { cartId, collectionId } = await fillCart(shop);
    const opened = await openAccount(shop, collectionId);
    const complete = () => shop.api(`/store/carts/${cartId}/complete`, {});
    await expect(complete()).rejects.toThrow('was not authorized with the provider');
    pay(shop, opened, 100);
    await expect(complete()).rejects.toThrow('was not authorized with the provider');
    expect(await readRecords(pool, cartId)).toMatchObject({ orders: 0, payments: null });
  });

  it('shows another account when the service’s response was lost', async () => {
    const { cartId, collectionId } = await fillCart(shop);
    shop.sandbox.control.addFault({
      operation: 'payments.initiate',
      status: 'reset',
      phase: 'after',
      times: 1,
    });
    const opened = await openAccount(shop, collectionId);
    expect(opened.reference).toMatch(/^payses_\w+-2$/);
    pay(shop, opened);
    await until(isPaid(cartId));
  });

  it('is paid after a process that ended while it opened the account', async () => {
    const { cartId, collectionId } = await fillCart(shop);
    shop.sandbox.control.addFault({
      operation: 'payments.initiate',
      status: 'timeout',
      phase: 'after',
      times: 1,
    });
    const before = shop.sandbox.control.listPayments().length;
    const lost = openAccount(shop, collectionId).catch(() => 'no response');
    await until(async () => shop.sandbox.control.listPayments().length > before, 10);
    await shop.restart();
    expect(await lost).toBe('no response');
    pay(shop, await openAccount(shop, collectionId));
    await until(isPaid(cartId));
  });

  it('is paid after a process that had acknowledged the callback, and ended before it read it', async () => {
    const { cartId, collectionId } = await fillCart(shop);
    pay(shop, await openAccount(shop, collectionId));
    await shop.sandbox.settled();
    await shop.restart();
    await until(isPaid(cartId));
  });

  it.each([
    ['asked the service about it', 0],
    ['authorised the payment', 1],
  ])('is paid after a process that ended while it %s', async (_name, skip) => {
    const { cartId, collectionId } = await fillCart(shop);
    const opened = await openAccount(shop, collectionId);
    const held = shop.gate.hold(new RegExp(`${opened.reference}/verify`), skip);
    pay(shop, opened);
    await held;
    await shop.restart();
    await until(isPaid(cartId));
  });

  it.each([
    [
      'captured the payment',
      'SELECT FROM capture JOIN payment p ON p.id = payment_id JOIN cart_payment_collection l USING (payment_collection_id) WHERE l.cart_id = $1',
    ],
    ['placed the order', 'SELECT FROM order_cart WHERE cart_id = $1'],
  ])('is paid after a process that ended when it had %s', async (_name, sql) => {
    const { cartId, collectionId } = await fillCart(shop);
    pay(shop, await openAccount(shop, collectionId));
    await until(async () => ((await pool.query(sql, [cartId])).rowCount ?? 0) > 0, 1);
    await shop.restart();
    await until(isPaid(cartId));
  });
});
