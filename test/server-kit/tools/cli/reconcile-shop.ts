import { createTestShop } from '../../../../server-kit/tools/testing/index.ts';

/** The orders that the shops of this module have reported as paid. */
export const notified: string[] = [];

/** A shop with paid payments without callbacks: each is due for verification. */
export async function createBusyShop(
  payments: number,
  { operatorKey = undefined as string | undefined } = {},
) {
  const shop = createTestShop({
    onPaid: ({ order }) => notified.push(order.orderId),
    operatorKey,
    limits: false,
  });
  shop.sandbox.control.setCallbackDelivery({ drop: true });
  for (let number = 1; number <= payments; number++)
    await shop.pay(await shop.open({ orderId: `order-${number}` }));
  await shop.advance({ minutes: 2 });
  return shop;
}

export const checkout = createBusyShop(45).then((shop) => shop.checkout);
export const another = createBusyShop(1).then((shop) => shop.checkout);
export const somethingElse = { start: () => {} };
