import { describe, expect, it } from 'vitest';
import { createTestShop } from '../../../../server-kit/tools/testing/index.ts';

const reconcileKey = 'reconcile-key-of-at-least-32-characters';
const getStatus = (key: string | undefined): Request =>
  new Request('https://shop.example/checkout/status', {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  });

describe('the route of the status', () => {
  it('counts paid, late, unexpected and reversed payments, and measures what waits', async () => {
    const shop = createTestShop(
      { reconcileKey, onPaid: () => {}, onUnexpectedMoney: () => {} },
      { sandbox: { acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY' } },
    );
    const late = await shop.open({ orderId: 'late', expiresInSeconds: 60 });
    await shop.advance({ minutes: 2 });
    await shop.pay(late);
    await shop.pay(late, { amount: 500 });
    const reversed = await shop.open({ orderId: 'reversed' });
    await shop.pay(reversed);
    await shop.reverse(reversed);
    await shop.open({ orderId: 'unpaid' });
    await shop.advance({ minutes: 1 });
    const response = await shop.checkout.handler(getStatus(reconcileKey));
    expect(response.status).toBe(200);
    const status = await response.json();
    expect(status).toEqual(await shop.checkout.status());
    expect(status.outcomes).toMatchObject({ paid: 2, late: 1, unexpectedMoney: 1, reversed: 1 });
    expect(status).toMatchObject({ deadLetters: 0, oldestUnpaidMs: 60_000 });
  });

  it('refuses a wrong key, and is not there without one', async () => {
    const { checkout } = createTestShop({ reconcileKey });
    expect((await checkout.handler(getStatus('a-guess'))).status).toBe(401);
    expect((await createTestShop().checkout.handler(getStatus(reconcileKey))).status).toBe(404);
  });
});
