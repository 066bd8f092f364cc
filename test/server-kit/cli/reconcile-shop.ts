import { createTestShop } from '../../../server-kit/testing/index.ts';

/** What the shops of this module have told, in turn. */
export const told: string[] = [];

/** A shop with payments that nobody has told it of: each is due for a look. */
async function createBusyShop(payments: number, { isDown = false } = {}) {
  const shop = createTestShop({ onPaid: ({ order }) => told.push(order.orderId) });
  shop.sandbox.control.setCallbackDelivery({ drop: true });
  for (let number = 1; number <= payments; number++) {
    const session = await shop.open({ orderId: `order-${number}` });
    await shop.pay(session);
  }
  await shop.advance({ minutes: 2 });
  if (isDown)
    shop.sandbox.control.addFault({ operation: 'payments.verify', status: 'reset', probability: 1 });
  return shop.checkout;
}

export const checkout = createBusyShop(2);
export const busy = createBusyShop(45);
export const down = createBusyShop(1, { isDown: true });
export const idle = createBusyShop(0);
export const another = createBusyShop(1);
export const somethingElse = { start: () => {} };
