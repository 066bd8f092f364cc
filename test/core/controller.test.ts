import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { CheckoutError, PaymentView, Session } from '../../src/contract/index.ts';
import { createController } from '../../src/core/controller.ts';
import type { State } from '../../src/core/machine.ts';
import { settle } from '../settle.ts';
import { createFakeEnvironment } from './fake-environment.ts';
import { headersOf, serviceTimeMs, sessionOf, viewOf } from './views.ts';

// Loaded on demand by the controller; here it is there already, so that no test waits for a file.
beforeAll(() => import('../../src/core/watch.ts'));

const minute = 60_000;

function setUp(options: { session?: Session; onError?: false } = {}) {
  const world = createFakeEnvironment();
  const states: State[] = [];
  const remaining: number[] = [];
  const onStateChange = vi.fn<(state: string, view: PaymentView | undefined) => void>();
  const onSucceeded = vi.fn<(view: PaymentView) => void>();
  const onError = vi.fn<(error: CheckoutError) => void>();
  const controller = createController({
    environment: world.environment,
    baseUrl: '/checkout',
    body: '{"orderId":"1001"}',
    session: options.session,
    onState: (state) => states.push(state),
    onRemaining: (ms) => remaining.push(ms),
    onStateChange,
    onSucceeded,
    onError: options.onError === false ? undefined : onError,
  });
  return {
    world,
    controller,
    remaining,
    onStateChange,
    onSucceeded,
    onError,
    state: () => states.at(-1),
    left: () => [world.timers(), world.listeners(), world.open()],
    /** Answers the POST, and lets the watch begin. */
    open: async (changes: Partial<PaymentView> = {}) => {
      await world.last().answer(sessionOf(changes), { status: 201, headers: headersOf('a') });
      await settle();
    },
    see: (changes: Partial<PaymentView>, tag = 'b') =>
      world.last().answer(viewOf(changes), { headers: headersOf(tag) }),
  };
}

describe('the controller', () => {
  it('makes a session, shows the account, and watches it to its end', async () => {
    const { world, open, see, state, onStateChange, onSucceeded, left } = setUp();
    await open();
    expect(state()).toEqual({ name: 'awaitingTransfer', payment: viewOf(), connection: 'ok' });
    expect(world.last().headers.get('if-none-match')).toBe('"a"');
    await world.advance(5000);
    await see({ status: 'charged', chargedAmount: 1_250_000 });
    await world.advance(5000);
    const paid = viewOf({ status: 'succeeded', outcome: 'paid', chargedAmount: 1_250_000 });
    await see(paid, 'c');
    expect(onStateChange.mock.calls.map(([name]) => name)).toEqual([
      'awaitingTransfer',
      'confirming',
      'succeeded',
    ]);
    expect(onSucceeded.mock.calls).toEqual([[paid]]);
    expect(left()).toEqual([0, 0, 0]);
  });

  it('posts nothing when it is given a session, and asks for the service’s clock at once', async () => {
    const { world, remaining, state } = setUp({ session: sessionOf() });
    await settle();
    expect(state()).toMatchObject({ name: 'awaitingTransfer' });
    expect(world.requests.map(({ url }) => url)).toEqual(['/checkout/sessions/order-1001-1']);
    expect(world.last().headers.has('prefer')).toBe(false);
    expect(remaining).toEqual([]);
    await world.last().answer(viewOf(), { headers: headersOf('a') });
    expect(remaining).toEqual([30 * minute]);
  });

  it('shows a paid order as paid, and polls no more', async () => {
    const { world, open, state, onSucceeded } = setUp();
    await open({ outcome: 'paid', status: 'succeeded' });
    expect(state()).toMatchObject({ name: 'succeeded' });
    expect(onSucceeded).toHaveBeenCalledOnce();
    expect(world.requests.length).toBe(1);
  });

  it('asks the server at zero instead of declaring expiry', async () => {
    const { world, open, state, remaining } = setUp();
    await open({ expiresAt: new Date(serviceTimeMs + 10_000).toISOString() });
    await world.advance(10_000);
    expect(remaining.at(-1)).toBe(0);
    expect(state()).toMatchObject({ name: 'awaitingTransfer' });
    expect(world.last().headers.has('prefer')).toBe(false);
    expect(world.requests.length).toBe(3);
  });

  it('turns an expired payment into a paid one when money lands late', async () => {
    const { world, open, see, state } = setUp();
    await open();
    await world.advance(5000);
    await see({ outcome: 'expired', status: 'expired' });
    expect(state()).toMatchObject({ name: 'expired' });
    await world.advance(15_000);
    await see({ outcome: 'paid', status: 'succeeded' }, 'c');
    expect(state()).toMatchObject({ name: 'succeeded' });
  });
});

describe('the controller that cannot make a session', () => {
  it('says so after the first failure, goes on trying with a back-off, and then gives up and tells once', async () => {
    const { world, state, onError, left } = setUp();
    await world.last().fail();
    expect(state()).toMatchObject({ name: 'loading', failures: 1 });
    for (const pauseMs of [1000, 2000, 4000, 8000]) {
      await world.advance(pauseMs);
      await world.last().fail();
    }
    expect(world.requests.length).toBe(5);
    expect(state()).toMatchObject({ name: 'unavailable', code: 'network_error' });
    expect(onError).toHaveBeenCalledOnce();
    expect(left()).toEqual([0, 0, 0]);
  });

  it('gives up at once when it is refused, and starts again when asked', async () => {
    const { world, controller, open, state, onError } = setUp();
    await world.last().answer({ code: 'forbidden', detail: 'Sign in first.' }, { status: 403 });
    expect(state()).toMatchObject({ name: 'unavailable', code: 'forbidden' });
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'forbidden', message: 'Sign in first.' });
    controller.restart();
    expect(state()).toMatchObject({ name: 'loading', failures: 0 });
    await open();
    expect(state()).toMatchObject({ name: 'awaitingTransfer' });
  });

  it('reports the error in the last resort when nobody listens', async () => {
    const { world } = setUp({ onError: false });
    await world.last().answer('<html>');
    expect(world.reports).toMatchObject([{ code: 'invalid_response' }]);
  });

  it('drops the attempt that is under way when it is asked to start again', async () => {
    const { world, controller } = setUp();
    const first = world.last();
    controller.restart();
    await settle();
    expect(first.signal.aborted).toBe(true);
    expect([world.requests.length, world.open()]).toEqual([2, 1]);
  });
});

describe('the controller that can look no more', () => {
  it('keeps the account on the screen, tells once, and looks again when asked', async () => {
    const { world, controller, open, state, onError } = setUp();
    await open();
    await world.last().answer('', { status: 401 });
    expect(state()).toEqual({ name: 'awaitingTransfer', payment: viewOf(), connection: 'lost' });
    expect(onError).toHaveBeenCalledOnce();
    controller.refresh();
    await settle();
    await world.last().answer(undefined, { status: 304, headers: headersOf('a') });
    expect(state()).toMatchObject({ connection: 'ok' });
  });
});

describe('a new account', () => {
  it('is asked for by a new session, and the old one is watched no more', async () => {
    const { world, controller, open, see, state } = setUp();
    await open();
    await world.advance(5000);
    await see({ outcome: 'expired', status: 'expired' });
    controller.restart();
    expect(state()).toMatchObject({ name: 'loading', previous: { reference: 'order-1001-1' } });
    await open({ reference: 'order-1001-2' });
    expect(state()).toMatchObject({ name: 'awaitingTransfer', payment: { reference: 'order-1001-2' } });
    expect(world.last().url).toBe('/checkout/sessions/order-1001-2');
    expect([world.open(), world.listeners()]).toEqual([1, 1]);
  });
});

describe('a controller that is stopped', () => {
  it.each([
    'while it makes a session',
    'while it waits to try again',
    'while it watches',
    'while it is hidden',
  ])('%s leaves no timer, listener or request, and says nothing more', async (when) => {
    const { world, controller, open, onStateChange, onError, left } = setUp();
    if (when === 'while it waits to try again') await world.last().fail();
    if (when === 'while it watches' || when === 'while it is hidden') await open();
    if (when === 'while it is hidden') await world.hide();
    onStateChange.mockClear();
    controller.stop();
    await settle();
    await world.advance(60 * minute);
    expect(left()).toEqual([0, 0, 0]);
    expect(onStateChange).not.toHaveBeenCalled();
    expect(onError).not.toHaveBeenCalled();
  });

  it('by the page’s own callback does not go on to watch', async () => {
    const { controller, open, onStateChange, left } = setUp();
    onStateChange.mockImplementation(() => controller.stop());
    await open();
    expect(left()).toEqual([0, 0, 0]);
  });
});

describe('a callback that throws', () => {
  it('is reported, and stops nothing', async () => {
    const { world, open, onStateChange, state } = setUp();
    const mistake = new Error('The page made a mistake.');
    onStateChange.mockImplementation(() => {
      throw mistake;
    });
    await open();
    expect(world.reports).toEqual([mistake]);
    expect(state()).toMatchObject({ name: 'awaitingTransfer' });
    expect(world.open()).toBe(1);
  });
});
