import { describe, expect, it } from 'vitest';
import { createCheckoutModel } from '../../src/model/index.ts';
import { createFakeEnvironment } from '../core/fake-environment.ts';
import { headersOf, sessionOf } from '../core/views.ts';
import { settle } from '../settle.ts';

function setUp() {
  const world = createFakeEnvironment();
  const model = createCheckoutModel({ environment: world.environment, baseUrl: '/checkout', body: '{}' });
  const open = async (reference: string, expiresAt = '2026-03-01T12:30:00Z') => {
    await world.last().answer(sessionOf({ reference, expiresAt }), { headers: headersOf(reference) });
    await settle();
  };
  return { world, model, open };
}

describe('the model', () => {
  it('begins with loading and no time', () => {
    const { model } = setUp();
    expect(model.state.value).toMatchObject({ name: 'loading' });
    expect(model.remainingMs.value).toBeUndefined();
  });

  it('tells the time left', async () => {
    const { world, model, open } = setUp();
    await open('order-1');
    await world.advance(60_000);
    expect(model.remainingMs.value).toBe(1_740_000);
  });

  it('tells the time left of another payment', async () => {
    const { model, open } = setUp();
    await open('order-1');
    model.restart();
    await open('order-2', '2026-03-01T12:10:00Z');
    expect(model.remainingMs.value).toBe(600_000);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const { world, model, open } = setUp();
    await open('order-1');
    model.stop();
    await settle();
    expect([world.timers(), world.listeners(), world.open()]).toEqual([0, 0, 0]);
  });
});
