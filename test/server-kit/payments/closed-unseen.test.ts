import { describe, expect, it } from 'vitest';
import type { PaymentInitiation } from '../../../server-kit/api/payment.ts';
import { createNotifiedShop } from '../kit/notified-shop.ts';
import { onlyFor } from '../kit/wire-faults.ts';
import { order } from '../kit/wired-shop.ts';

const dayMs = 24 * 3_600_000;

/** A shop whose first payment was made by the service, and closed here, because its response was lost. */
async function shopWithClosed() {
  const shop = createNotifiedShop();
  let lost: PaymentInitiation | undefined;
  shop.wire.intercept = onlyFor('payments', async (_path, send) => {
    shop.wire.intercept = undefined;
    lost = (await (await send()).json()) as PaymentInitiation;
    throw new TypeError('fetch failed');
  });
  const session = await shop.open();
  if (lost === undefined) throw new Error('The service has made no payment.');
  const { reference } = lost;
  expect(session.reference).not.toBe(reference);
  expect(await shop.store.findByReference(reference)).toMatchObject({ opened: null, outcome: 'replaced' });
  return { ...shop, session, lost };
}

describe('money on a payment that was closed before its account was known', () => {
  it('is unexpected, and reported after the callback', async () => {
    const { lost, pay, delivered, notified, session, get } = await shopWithClosed();
    pay(lost.accountNumber);
    await delivered();
    expect(notified).toEqual([`order-1:unexpectedMoney:${lost.reference}`]);
    expect(await (await get(session)).json()).toMatchObject({
      outcome: 'pending',
      orderChargedAmount: order.amount.value,
    });
  });

  it('is found without a callback too', async () => {
    const { lost, sandbox, checkout, clock, notified } = await shopWithClosed();
    sandbox.control.setCallbackDelivery({ drop: 1 });
    clock.advance(3_600_000);
    sandbox.control.transfer({ accountNumber: lost.accountNumber, amount: order.amount.value });
    for (let hours = 0; hours < 8; hours++) {
      clock.advance(3_600_000);
      await checkout.reconcile();
      await checkout.settled();
    }
    expect(notified.filter((key) => key.includes('unexpectedMoney'))).toEqual([
      `order-1:unexpectedMoney:${lost.reference}`,
    ]);
  });

  it('does nothing while nobody pays: it is not shown, not reported, and given up after a week', async () => {
    const { lost, store, checkout, clock, notified } = await shopWithClosed();
    for (let days = 0; days < 9; days++) {
      clock.advance(dayMs);
      await checkout.reconcile();
      await checkout.settled();
    }
    expect(await store.findByReference(lost.reference)).toMatchObject({ opened: null, outcome: 'replaced' });
    expect(notified.filter((key) => key.includes(lost.reference))).toEqual([]);
  });
});

describe('a link whose response was lost, and that the service has sent by e-mail', () => {
  it('is paid on the service’s page, and its money is reported', async () => {
    const shop = createNotifiedShop();
    const { checkout, sandbox, wire, pay, delivered, notified } = shop;
    wire.intercept = async (path, send) => {
      const response = await send();
      if (!path.endsWith('/checkout')) return response;
      wire.intercept = undefined;
      throw new TypeError('fetch failed');
    };
    const link = await checkout.createLink(order);
    const links = sandbox.control.listCheckoutLinks();
    const sent = links.find(({ reference }) => reference !== link.reference);
    const payment = sandbox.control.openCheckoutLink(sent?.id ?? '');
    pay(payment.accountNumber);
    await delivered();
    expect(notified).toEqual([`order-1:unexpectedMoney:${payment.reference}`]);
  });
});
