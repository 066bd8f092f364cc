import { describe, expect, it, vi } from 'vitest';
import type { PaymentView, Session } from '../../src/contract/index.ts';
import { createController } from '../../src/core/controller.ts';
import type { Emit } from '../../src/core/machine/checkout-events.ts';
import type { State } from '../../src/core/machine/state.ts';
import { settle } from '../settle.ts';
import { createFakeEnvironment } from './fake-environment.ts';
import { headersOf, serviceTimeMs, sessionOf, viewOf } from './views.ts';

const minute = 60_000;

function setUp(options: { session?: Session } = {}) {
  const world = createFakeEnvironment();
  const states: State[] = [];
  const emit = vi.fn<(name: string, detail: object) => boolean>(() => true);
  const told = (name: string) =>
    emit.mock.calls.filter(([one]) => one === name).map(([, detail]) => detail as never);
  const controller = createController({
    environment: world.environment,
    baseUrl: '/checkout',
    body: '{"orderId":"1001"}',
    session: options.session,
    onState: (state) => states.push(state),
    emit: emit as unknown as Emit,
  });
  return {
    world,
    controller,
    emit,
    told,
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
    const { world, controller, open, see, state, told, left } = setUp();
    await open();
    expect(state()).toMatchObject({ name: 'awaitingTransfer', payment: viewOf(), connection: 'ok' });
    expect(world.last().headers.get('if-none-match')).toBe('"a"');
    await world.advance(5000);
    await see({ status: 'charged', chargedAmount: 1_250_000 });
    await world.advance(5000);
    const paid = viewOf({ status: 'succeeded', outcome: 'paid', chargedAmount: 1_250_000 });
    await see(paid, 'c');
    expect(told('statusChange').map(({ state: name }) => name)).toEqual([
      'awaitingTransfer',
      'confirming',
      'succeeded',
    ]);
    expect([told('ready'), told('succeeded')]).toEqual([[{ payment: viewOf() }], [{ payment: paid }]]);
    expect(world.open()).toBe(0);
    controller.stop();
    await settle();
    expect(left()).toEqual([0, 0, 0]);
  });

  it('posts nothing when it is given a session, and asks for the service’s clock at once', async () => {
    const { world, state } = setUp({ session: sessionOf() });
    await settle();
    expect(state()).toMatchObject({ name: 'awaitingTransfer' });
    expect(world.requests.map(({ url }) => url)).toEqual(['/checkout/sessions/order-1001-1']);
    expect(world.last().headers.has('prefer')).toBe(false);
    expect(state()?.serviceOffsetMs).toBeUndefined();
    await world.last().answer(viewOf(), { headers: headersOf('a') });
    expect(state()?.serviceOffsetMs).toBe(serviceTimeMs - world.environment.now());
  });

  it('shows a paid order as paid, goes on looking seldom, and says so once', async () => {
    const { world, open, see, state, told } = setUp();
    const paid = { outcome: 'paid', status: 'succeeded', chargedAmount: 1_250_000 } as const;
    await open(paid);
    expect(state()).toMatchObject({ name: 'succeeded' });
    await world.advance(14_999);
    expect(world.requests.length).toBe(1);
    await world.advance(1);
    await see({ ...paid, orderChargedAmount: 2_500_000 });
    expect(state()).toMatchObject({ name: 'succeeded', payment: { orderChargedAmount: 2_500_000 } });
    expect([told('succeeded').length, told('statusChange').length]).toEqual([1, 1]);
  });

  it.each([401, 404, 503])('takes no look that fails with %s for news of what is paid', async (status) => {
    const { world, open, state, told } = setUp();
    await open({ outcome: 'paid', status: 'succeeded' });
    await world.advance(15_000);
    await world.last().answer('', { status });
    expect(state()).toMatchObject({ name: 'succeeded', connection: 'ok' });
    expect(told('error')).toEqual([]);
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
    const { world, controller, state, told, left } = setUp();
    await world.last().fail();
    expect(state()).toMatchObject({ name: 'loading', failures: 1 });
    for (const pauseMs of [1000, 2000, 4000, 8000]) {
      await world.advance(pauseMs);
      await world.last().fail();
    }
    expect(world.requests.length).toBe(5);
    expect(state()).toMatchObject({ name: 'unavailable', code: 'network_error' });
    expect(told('error').length).toBe(1);
    expect([world.timers(), world.open()]).toEqual([0, 0]);
    controller.stop();
    expect(left()).toEqual([0, 0, 0]);
  });

  it('gives up at once when it is refused, and starts again when asked', async () => {
    const { world, controller, open, state, told } = setUp();
    await world.last().answer({ code: 'forbidden', detail: 'Sign in first.' }, { status: 403 });
    expect(state()).toMatchObject({ name: 'unavailable', code: 'forbidden' });
    expect(told('error')).toMatchObject([{ error: { code: 'forbidden', message: 'Sign in first.' } }]);
    controller.restart();
    expect(state()).toMatchObject({ name: 'loading', failures: 0 });
    await open();
    expect(state()).toMatchObject({ name: 'awaitingTransfer' });
  });

  it.each([true, false])(
    'reports the error in the last resort where nobody prevents it: %s',
    async (mayReport) => {
      const { world, emit } = setUp();
      emit.mockReturnValue(mayReport);
      await world.last().answer('<html>');
      expect(world.reports).toMatchObject(mayReport ? [{ code: 'invalid_response' }] : []);
    },
  );

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
    const { world, controller, open, state, told } = setUp();
    await open();
    await world.last().answer('', { status: 404 });
    expect(state()).toMatchObject({ name: 'awaitingTransfer', payment: viewOf(), connection: 'lost' });
    expect(told('error').length).toBe(1);
    controller.refresh();
    await settle();
    await world.last().answer(undefined, { status: 304, headers: headersOf('a') });
    expect(state()).toMatchObject({ connection: 'ok' });
  });

  it('because its secret is refused asks for another one, and goes on with the same account', async () => {
    const { world, controller, open, state, left } = setUp();
    await open();
    await world.last().answer('', { status: 401 });
    expect(state()).toMatchObject({ name: 'awaitingTransfer', connection: 'refused' });
    controller.refresh();
    await settle();
    expect(world.last().init.method).toBe('POST');
    const renewed = { ...sessionOf(), clientSecret: 'cs_test_another' };
    await world.last().answer(renewed, { headers: headersOf('a') });
    await settle();
    expect(state()).toMatchObject({ name: 'awaitingTransfer', connection: 'ok' });
    expect(world.last().headers.get('authorization')).toBe('Bearer cs_test_another');
    expect(world.open()).toBe(1);
    controller.stop();
    await settle();
    expect(left()).toEqual([0, 0, 0]);
  });
});

describe('a shopper who says that the money is sent', () => {
  it('sees it looked for, also when the time is up, and the page is told once', async () => {
    const { world, controller, open, see, state, told } = setUp();
    await open();
    const before = world.requests.length;
    controller.claimTransfer();
    await settle();
    expect(state()).toMatchObject({ name: 'checking', reason: 'sent' });
    expect(world.requests.length).toBeGreaterThan(before);
    await see({ outcome: 'expired', status: 'expired' });
    expect(state()).toMatchObject({ name: 'checking', payment: { outcome: 'expired' } });
    controller.claimTransfer();
    expect(told('sent')).toEqual([{ payment: viewOf() }]);
    controller.withdrawClaim();
    expect(state()).toMatchObject({ name: 'expired' });
  });

  it('stays where the page prevents it', async () => {
    const { controller, open, emit, state } = setUp();
    await open();
    emit.mockReturnValue(false);
    controller.claimTransfer();
    expect(state()).toMatchObject({ name: 'awaitingTransfer' });
  });
});

describe('an outcome', () => {
  it('is told once for a payment, and each part that arrives', async () => {
    const { world, controller, open, see, told } = setUp();
    await open({ outcome: 'expired', status: 'expired' });
    controller.claimTransfer();
    controller.withdrawClaim();
    expect(told('expired').length).toBe(1);
    await world.advance(15_000);
    for (const [chargedAmount, tag] of [
      [1, 'b'],
      [1, 'c'],
      [2, 'd'],
    ] as const) {
      await see({ chargedAmount }, tag);
      await world.advance(5000);
    }
    expect(told('partlyPaid').map(({ payment }: { payment: PaymentView }) => payment.chargedAmount)).toEqual([
      1, 2,
    ]);
  });
});

/** Money that came on the account that the shopper had before. */
const elsewhere = { paymentReference: 'order-1001-1', chargedAmount: 1_250_000 } as const;
const paidElsewhere = { ...elsewhere, outcome: 'paid', status: 'succeeded', receivedLate: true } as const;

describe('a tab whose order is paid through another account', () => {
  const second = { reference: 'order-1001-2' };

  it('shows it at once, and tells the page once, with the payment that counts', async () => {
    const { world, open, see, state, told } = setUp();
    await open(second);
    await world.advance(5000);
    await see({ ...second, ...elsewhere, status: 'charged' });
    expect(state()).toMatchObject({ name: 'confirming', payment: { reference: 'order-1001-2' } });
    await world.advance(5000);
    const view = viewOf({ ...second, ...paidElsewhere });
    await see(view, 'c');
    expect(state()).toMatchObject({ name: 'receivedLate', payment: view });
    expect(told('receivedLate')).toEqual([{ payment: view }]);
    await world.advance(15_000);
    // Later the server may describe the second one, which is paid too.
    await see({ ...second, ...elsewhere, paymentReference: undefined, outcome: 'paid' }, 'd');
    expect([told('receivedLate').length, told('succeeded').length]).toEqual([1, 0]);
  });

  it.each(['is looked for', 'is hidden', 'checks again'])('also while it %s', async (how) => {
    const { world, controller, open, see, state } = setUp();
    await open(second);
    if (how === 'is hidden') {
      await world.hide();
      await world.advance(minute);
      await world.show();
    } else controller.claimTransfer();
    await settle();
    if (how === 'checks again') {
      await see({ ...second }, 'a');
      controller.refresh();
      await settle();
    }
    await see({ ...second, ...paidElsewhere }, 'b');
    expect(state()).toMatchObject({ name: 'receivedLate', payment: { paymentReference: 'order-1001-1' } });
  });

  it('is not told again of the same payment under its own name', async () => {
    const { world, controller, open, see, told } = setUp();
    await open(second);
    await world.advance(5000);
    await see({ ...second, ...paidElsewhere });
    controller.restart();
    await open({ ...elsewhere, paymentReference: undefined, outcome: 'paid' });
    expect([told('receivedLate').length, told('succeeded').length]).toEqual([1, 0]);
  });

  it('is told of the next order that is paid', async () => {
    const { controller, open, told } = setUp();
    await open({ outcome: 'paid' });
    controller.restart();
    await open({ reference: 'order-1002-1', outcome: 'paid' });
    expect(told('succeeded').length).toBe(2);
  });
});

describe('a new account', () => {
  it('is asked for by a new session, and the old one is watched no more', async () => {
    const { world, controller, open, see, state } = setUp();
    await open();
    await world.advance(5000);
    await see({ outcome: 'expired', status: 'expired' });
    const listeners = world.listeners();
    controller.restart();
    expect(state()).toMatchObject({ name: 'loading', previous: { reference: 'order-1001-1' } });
    await open({ reference: 'order-1001-2' });
    expect(state()).toMatchObject({ name: 'awaitingTransfer', payment: { reference: 'order-1001-2' } });
    expect(world.last().url).toBe('/checkout/sessions/order-1001-2');
    expect([world.open(), world.listeners()]).toEqual([1, listeners]);
  });
});

describe('a controller that is stopped', () => {
  it.each([
    'while it makes a session',
    'while it waits to try again',
    'while it watches',
    'while it is hidden',
  ])('%s leaves no timer, listener or request, and says nothing more', async (when) => {
    const { world, controller, open, emit, left } = setUp();
    if (when === 'while it waits to try again') await world.last().fail();
    if (when === 'while it watches' || when === 'while it is hidden') await open();
    if (when === 'while it is hidden') await world.hide();
    emit.mockClear();
    controller.stop();
    await settle();
    await world.advance(60 * minute);
    expect(left()).toEqual([0, 0, 0]);
    expect(emit).not.toHaveBeenCalled();
  });

  it('by the page’s own callback does not go on to watch', async () => {
    const { controller, open, emit, left } = setUp();
    emit.mockImplementation(() => {
      controller.stop();
      return true;
    });
    await open();
    expect(left()).toEqual([0, 0, 0]);
  });
});

describe('a callback that throws', () => {
  it('is reported, and stops nothing', async () => {
    const { world, open, emit, state } = setUp();
    const mistake = new Error('The page made a mistake.');
    emit.mockImplementationOnce(() => {
      throw mistake;
    });
    await open();
    expect(world.reports).toEqual([mistake]);
    expect(state()).toMatchObject({ name: 'awaitingTransfer' });
    expect(world.open()).toBe(1);
  });
});
