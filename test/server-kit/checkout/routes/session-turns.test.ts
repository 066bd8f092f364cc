import { describe, expect, it } from 'vitest';
import { sessionsAtOnce } from '../../../../server-kit/checkout/routes/turns.ts';
import type { Problem } from '../../../../src/contract/index.ts';
import { createGate } from '../../kit/gate.ts';
import { nextTurn } from '../../kit/test-clock.ts';
import { createWiredShop, order } from '../../kit/wired-shop.ts';

/** A shop whose service holds each new payment until the test lets one through, and twice as many sessions of one address. */
async function floodedShop() {
  const held: (() => void)[] = [];
  let count = 0;
  const shop = createWiredShop({
    clientKey: ({ header }) => header('x-address'),
    createPayment: () => ({ ...order, orderId: `order-${count++}` }),
    limits: false,
  });
  shop.wire.intercept = async (_path, send) => {
    const gate = createGate();
    held.push(gate.open);
    await gate.opened;
    return send();
  };
  const post = (address: string): Promise<Response> => shop.post({ 'x-address': address });
  const flood = Array.from({ length: 2 * sessionsAtOnce }, () => post('flood'));
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn++) await nextTurn();
  };
  await settle();
  return { ...shop, post, flood, held, settle };
}

describe('a flood of sessions', () => {
  it('has no more requests to the service under way than there are places', async () => {
    const { held, flood, wire } = await floodedShop();
    expect(held).toHaveLength(sessionsAtOnce);
    wire.intercept = undefined;
    for (const letThrough of held) letThrough();
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses).toEqual(flood.map(() => 201));
    expect(Math.max(...wire.most.values())).toBe(sessionsAtOnce);
  });

  it('delays another shopper by two sessions, not by all that wait', async () => {
    const { held, post, settle } = await floodedShop();
    const shopper = post('shopper');
    await settle();
    for (const letThrough of held.slice(0, 2)) letThrough();
    await settle();
    // All others are still held.
    for (const letThrough of held.slice(sessionsAtOnce)) letThrough();
    expect((await shopper).status).toBe(201);
    expect(held).toHaveLength(sessionsAtOnce + 4);
  });

  it('gets 503 for those whose turn does not come within five seconds', async () => {
    const { flood, clock } = await floodedShop();
    clock.advance(5000);
    const refused = await Promise.all(flood.slice(sessionsAtOnce));
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 503));
    expect(refused[0]?.headers.get('retry-after')).toBe('3');
    expect((await refused[0]?.json()) as Problem).toMatchObject({ code: 'service_unavailable' });
  });
});
