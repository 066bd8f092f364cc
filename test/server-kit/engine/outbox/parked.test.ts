import { describe, expect, it } from 'vitest';
import { createCheckout } from '../../../../server-kit/engine/create-checkout.ts';
import type { AttentionEvent, OutcomeHandlers } from '../../../../server-kit/engine/outbox/handlers.ts';
import type { LogEntry } from '../../../../server-kit/engine/telemetry/log-event.ts';
import { createTestShop, type TestShop } from '../../../../server-kit/tools/testing/index.ts';
import type { TestParts } from '../../../../server-kit/tools/testing/test-parts.ts';
import type { Session } from '../../../../src/contract/index.ts';

const half = { value: 625_000, currency: 'NGN' };
const whole = { value: 1_250_000, currency: 'NGN' };

/** A shop whose service accepts any amount, and other instances of it. */
function createShop(handlers: OutcomeHandlers | { handlers: 'elsewhere' }) {
  const log: LogEntry[] = [];
  const onLog = (entry: LogEntry) => void log.push(entry);
  let parts = {} as TestParts;
  const shop = createTestShop(
    (given) => {
      parts = given;
      return createCheckout({ ...given, onLog, ...handlers });
    },
    { sandbox: { acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY' } },
  );
  const another = (more: OutcomeHandlers) => createCheckout({ ...parts, onLog, ...more });
  const warnings = () => log.filter(({ level }) => level === 'warn');
  return { ...shop, another, warnings };
}

type Act = (shop: TestShop, session: Session) => Promise<unknown>;
const payTwice: Act = async ({ pay }, session) => [await pay(session), await pay(session)];
const payAndReverse: Act = async ({ pay, reverse }, session) => [await pay(session), await reverse(session)];
const payTooLittle: Act = ({ pay }, session) => pay(session, { amount: half.value });

describe('money that no handler takes', () => {
  it.each([
    ['was paid twice', payTwice, 'unexpectedMoney', (of: string) => `order-1:unexpectedMoney:${of}:1`, whole],
    ['was taken back', payAndReverse, 'reversed', () => 'order-1:reversed', whole],
    ['is too little', payTooLittle, 'amountMismatch', () => 'order-1:amountMismatch', half],
  ] as const)(
    'is logged once, listed, and delivered to a later instance: it %s',
    async (_how, act, outcome, keyOf, amount) => {
      const shop = createShop({ onPaid: () => {} });
      const { checkout, another, warnings, advance } = shop;
      const session = await shop.open();
      await act(shop, session);
      const { reference } = session;
      await advance({ hours: 3 });
      const key = keyOf(reference);
      const names = { key, orderId: 'order-1', outcome, reference };
      const { pendingOutboxEvents, parkedEvents, waiting } = await checkout.status();
      const why = { state: 'parked', tries: 1, failure: null };
      expect([pendingOutboxEvents, parkedEvents, waiting]).toEqual([0, 1, [{ ...names, amount, ...why }]]);
      expect((await checkout.status()).parkedEvents).toBe(1);
      const message = expect.stringMatching(/^No handler takes .*; pass onAttention to createCheckout/);
      expect(warnings()).toEqual([
        { level: 'warn', type: 'parked', ...names, token: 1, amount: amount.value, message },
      ]);
      const attention: AttentionEvent[] = [];
      const later = another({ onPaid: () => {}, onAttention: (event) => void attention.push(event) });
      await later.reconcile();
      const event = { outcome, idempotencyKey: key, payment: { reference }, money: { amount } };
      expect(attention).toMatchObject([{ ...event, order: { orderId: 'order-1', amount: whole } }]);
      expect(await later.status()).toMatchObject({ pendingOutboxEvents: 0, parkedEvents: 0, waiting: [] });
    },
  );

  it('is delivered within a minute after the start, and later if an older instance has parked it meanwhile', async () => {
    const shop = createShop({ onPaid: () => {} });
    const payLittle = async (orderId: string) =>
      shop.pay(await shop.open({ orderId }), { amount: half.value });
    for (const orderId of ['a', 'b', 'c', 'd']) await payLittle(orderId);
    const keys: string[] = [];
    const onAttention = ({ idempotencyKey }: AttentionEvent) => void keys.push(idempotencyKey);
    const later = shop.another({ onPaid: () => {}, onAttention });
    const keysAfter = async (minutes: number) => {
      await shop.advance({ minutes });
      await later.settled();
      return keys.length;
    };
    later.start();
    expect(await keysAfter(0)).toBe(1);
    await payLittle('e');
    expect([await keysAfter(1.1), await keysAfter(60)]).toEqual([4, 5]);
    expect(keys.toSorted()).toEqual([...'abcde'].map((id) => `${id}:amountMismatch`));
    await later.stop();
  });
});
