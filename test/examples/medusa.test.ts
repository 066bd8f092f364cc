import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { it } from '../browser/browser-test.ts';
import { hasPostgres } from '../server-kit/kit/services.ts';
import { type InstalledExample, installExample } from './installed-example.ts';
import { killBeforeWrite, until } from './medusa/kill.ts';
import {
  chooseTransfer,
  fillCart,
  openAccount,
  paidRecords,
  pay,
  payPart,
  readLinks,
  readRecords,
  requestPayment,
} from './medusa/medusa-order.ts';
import { callApi, createMedusaShop, type MedusaShop } from './medusa/medusa-shop.ts';

const transfer = { provider: 'pp_transfer_bank', route: '/transfer' };
const wholeCheckout = { provider: 'pp_checkout_bank', route: '/checkout' };
const ways = [
  { way: 'the payment provider', ...transfer },
  { way: 'the whole checkout', ...wholeCheckout },
];

describe.skipIf(!(await hasPostgres()))('an order in Medusa', () => {
  let example: InstalledExample;
  let shop: MedusaShop;
  let pool: Pool;
  beforeAll(async () => {
    example = await installExample('medusa');
    shop = await createMedusaShop(example.folder);
    pool = new Pool({ connectionString: shop.databaseUrl });
  });
  afterAll(async () => {
    await pool?.end();
    await shop?.close();
    await example?.remove();
  });

  beforeEach(({ onTestFailed }) => onTestFailed(() => console.log(shop.output())));

  const isPaid = (cartId: string) => async (): Promise<boolean> => {
    expect(await readRecords(pool, cartId)).toMatchObject(paidRecords);
    return true;
  };
  const complete = (cartId: string) =>
    shop.api<{ order: { id: string } }>(`/store/carts/${cartId}/complete`, {});
  /** Calls Medusa's payment module, which calls the provider. */
  const callModule = (method: string, ...args: unknown[]) => shop.api(`/payment-module/${method}`, args);

  describe.each(ways)('an order of Medusa, paid through $way', (way) => {
    it('is placed and paid once the service has confirmed the money', async () => {
      const { cartId, payment } = await openAccount(shop, way);
      expect(payment).toMatchObject({ amount: { value: 1_250_000, currency: 'NGN' }, liveMode: false });
      pay(shop, payment);
      await until(isPaid(cartId));
      const { order } = await complete(cartId);
      expect(await shop.api(`/store/orders/${order.id}?fields=payment_status,total`)).toMatchObject({
        order: { payment_status: 'captured', total: 12500 },
      });
    });

    it('is not placed before, whatever the storefront asks for', async () => {
      const { cartId, collectionId } = await openAccount(shop, way);
      await expect(complete(cartId)).rejects.toThrow('was not authorized with the provider');
      await payPart(shop, collectionId, way);
      await expect(complete(cartId)).rejects.toThrow('was not authorized with the provider');
      expect(await readRecords(pool, cartId)).toMatchObject({ orders: 0, payments: null });
    });

    it('is paid in the widget, on a page of another origin', async ({ newShopper }) => {
      const { cartId, collectionId } = await fillCart(shop);
      await chooseTransfer(shop, collectionId, way);
      const page = await (await newShopper()).newPage();
      const messages: string[] = [];
      page.on('console', (message) => messages.push(message.text()));
      await page.goto(`${shop.storefront.url}/?route=${way.route}&collection=${collectionId}`);
      await page.getByText('₦12,500.00').first().waitFor();
      pay(shop, await requestPayment(shop, collectionId, way));
      await page
        .getByText(/ received$/)
        .first()
        .waitFor();
      await until(isPaid(cartId));
      expect(messages).toEqual([]);
    });

    it('gets another account when its amount changes, unless money has come', async () => {
      const { collectionId, sessionId, payment } = await openAccount(shop, way);
      const update = async (amount: number) => {
        const session = await callModule('retrievePaymentSession', sessionId);
        const { data } = (session as { result: { data: object } }).result;
        return callModule('updatePaymentSession', { id: sessionId, data, amount, currency_code: 'ngn' });
      };
      await update(13000.5);
      const changed = await requestPayment(shop, collectionId, way);
      expect(changed.amount).toEqual({ value: 1_300_050, currency: 'NGN' });
      expect(changed.account.number).not.toBe(payment.account.number);
      await payPart(shop, collectionId, way);
      await update(13000.5);
      await expect(update(12500)).rejects.toThrow('you cannot change it');
      expect(await requestPayment(shop, collectionId, way)).toMatchObject({ account: changed.account });
    });

    it('keeps its payment session when money has come, and loses it otherwise', async () => {
      const { sessionId } = await openAccount(shop, way);
      await callModule('deletePaymentSession', sessionId);
      const { sessionId: funded, collectionId } = await openAccount(shop, way);
      await payPart(shop, collectionId, way);
      await expect(callModule('deletePaymentSession', funded)).rejects.toThrow('you cannot delete it');
      await expect(chooseTransfer(shop, collectionId, way)).rejects.toThrow('Could not delete all');
      await expect(callModule('retrievePaymentSession', sessionId)).rejects.toThrow('404');
      await callModule('retrievePaymentSession', funded);
    });

    it('is neither cancelled nor refunded after it is paid', async () => {
      const { cartId, payment } = await openAccount(shop, way);
      pay(shop, payment);
      await until(isPaid(cartId));
      const [{ id } = { id: '' }] = (await readRecords(pool, cartId)).payments ?? [];
      await expect(callModule('cancelPayment', id)).rejects.toThrow('you cannot cancel it');
      await expect(callModule('refundPayment', { payment_id: id })).rejects.toThrow(
        'Send the money back by a bank transfer of your own',
      );
      await isPaid(cartId)();
    });
  });

  it('shows another account when the service’s response was lost', async () => {
    shop.sandbox.control.addFault({
      operation: 'payments.initiate',
      status: 'reset',
      phase: 'after',
      times: 1,
    });
    const { cartId, payment } = await openAccount(shop, transfer);
    expect(payment.reference).toMatch(/^payses_\w+-2$/);
    pay(shop, payment);
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
    const lost = chooseTransfer(shop, collectionId, transfer).catch(() => 'no response');
    await until(async () => shop.sandbox.control.listPayments().length > before, 10);
    await shop.restart();
    expect(await lost).toBe('no response');
    await chooseTransfer(shop, collectionId, transfer);
    pay(shop, await requestPayment(shop, collectionId, transfer));
    await until(isPaid(cartId));
  });

  it('is paid after a process that had acknowledged the callback, and ended before it read it', async () => {
    const { cartId, payment } = await openAccount(shop, transfer);
    pay(shop, payment);
    await shop.sandbox.settled();
    await shop.restart();
    await until(isPaid(cartId));
  });

  it.each([
    ['asked the service about it', 0, transfer],
    ['authorised the payment', 1, transfer],
    ['asked the service about it, with the whole checkout', 0, wholeCheckout],
  ])('is paid after a process that ended while it %s', async (_name, skip, way) => {
    const { cartId, payment } = await openAccount(shop, way);
    const held = shop.gate.hold(new RegExp(`${payment.reference}/verify`), skip);
    pay(shop, payment);
    await held;
    await shop.restart();
    await until(isPaid(cartId));
  });

  it.each([
    ['stored the payment', 'payment', transfer, {}],
    ['placed the order', 'order', transfer, {}],
    ['linked the order to its cart', 'order_cart', transfer, { toPayment: true }],
    ['linked the order to its payment', 'order_payment_collection', transfer, { toCart: true }],
    ['counted the money', 'order_transaction', transfer, {}],
    ['placed the order, with the whole checkout', 'order', wholeCheckout, {}],
  ])('is paid after a process that ended before it %s', async (_name, table, way, links) => {
    const { cartId, payment } = await openAccount(shop, way);
    const isLinked = async () => {
      expect(await readLinks(pool, cartId)).toMatchObject(links);
      return true;
    };
    await killBeforeWrite(shop, pool, table, () => pay(shop, payment), isLinked);
    await until(isPaid(cartId));
  });

  it('starts with the sandbox by one command', async ({ onTestFinished }) => {
    const runtime = await example.start('start');
    onTestFinished(runtime.kill);
    const { seeded } = shop;
    const api = <T>(path: string, body?: unknown) => callApi<T>(example.pageUrl + path, seeded, body);
    const { cartId, payment } = await openAccount({ api, seeded }, transfer);
    const transferred = { accountNumber: payment.account.number, amount: payment.amount.value };
    await callApi(`${example.sandboxUrl}/_sandbox/transfers`, seeded, transferred);
    await until(isPaid(cartId));
  });
});
