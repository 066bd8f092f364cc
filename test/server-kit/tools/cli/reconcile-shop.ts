import { createTestShop } from '../../../../server-kit/tools/testing/index.ts';

/** The orders that the shops of this module have reported as paid. */
export const notified: string[] = [];

/** A shop with paid payments without callbacks: each is due for verification. */
async function createBusyShop(payments: number, { isDown = false } = {}) {
  const shop = createTestShop({ onPaid: ({ order }) => notified.push(order.orderId) });
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
