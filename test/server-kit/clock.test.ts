import { expect, it } from 'vitest';
import { createClientSecrets } from '../../server-kit/core/secrets.ts';
import { createTestClock } from './kit/test-clock.ts';
import { changing, readView } from './kit/wire-faults.ts';
import { createWiredShop, keys, order } from './kit/wired-shop.ts';

const hour = 3_600_000;
const noon = Date.UTC(2026, 2, 1, 12);

/** A shop with a verified session. */
async function openedShop(...options: Parameters<typeof createWiredShop>) {
  const shop = createWiredShop(...options);
  const session = await shop.open();
  shop.clock.advance(5000);
  await shop.get(session);
  const pay = () =>
    shop.sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
  return { ...shop, session, pay };
}

it('the service’s Date is what the browser gets if the two clocks differ', async () => {
  const clock = createTestClock();
  const { post } = createWiredShop({}, { now: () => clock.now() + hour }, { clock });
  const notified = Number((await post()).headers.get('checkout-service-time'));
  expect(notified).toBeGreaterThanOrEqual(noon + hour);
  expect(notified).toBeLessThan(noon + hour + 1000);
});

it.each(['account', 'link'])(
  'a client secret of live mode does not open a test %s, though it is signed with our key',
  async (kind) => {
    const { get, open, checkout } = createWiredShop();
    const { reference } = kind === 'account' ? await open() : await checkout.createLink(order);
    const claims = { reference, liveMode: true, expiresAt: '2030-01-01T00:00:00Z' };
    const clientSecret = await createClientSecrets(keys, 0).issue(claims);
    expect((await get({ reference, clientSecret })).status).toBe(401);
  },
);

async function setBackShop() {
  const clock = createTestClock();
  let backMs = 0;
  const now = () => clock.now() - backMs;
  const shop = await openedShop({ testing: { now } }, {}, { clock });
  const setBack = (): void => {
    backMs = hour;
  };
  return { ...shop, setBack };
}

it('a local clock that is set back an hour neither stops the verifications nor makes them more frequent', async () => {
  const { get, open, session, clock, pay, setBack, wire } = await setBackShop();
  setBack();
  pay();
  clock.advance(5000);
  const before = wire.calls.length;
  for (let reload = 0; reload < 20; reload++)
    expect(await readView(get(session))).toMatchObject({ outcome: 'paid' });
  expect(wire.calls.length - before).toBe(1);
  expect(await open()).toMatchObject({ reference: session.reference, outcome: 'paid' });
});

it('a moment with an offset is recorded in UTC, so that older responses are distinguished from newer ones', async () => {
  const { get, session, wire, clock } = await openedShop();
  for (const [status, updatedAt] of [
    ['charged', '2026-03-01T13:00:06+01:00'],
    ['awaiting_charge', '2026-03-01T12:59:00+01:00'],
  ]) {
    wire.intercept = changing({ status, updatedAt });
    clock.advance(5000);
    expect(await readView(get(session))).toMatchObject({ status: 'charged' });
  }
});
