import { describe, expect, it, vi } from 'vitest';
import type { PaymentView, Session } from '../../src/contract/index.ts';
import { createController } from '../../src/core/controller.ts';
import type { Emit } from '../../src/core/events.ts';
import type { State } from '../../src/core/state.ts';
import { settle } from '../settle.ts';
import { createFakeBrowser, type FakeBrowser } from './fake-browser.ts';
import { createFakeEnvironment } from './fake-environment.ts';
import { headersOf, serviceTimeMs, sessionOf, viewOf } from './views.ts';

const minute = 60_000;

function setUp({ browser, session }: { browser?: FakeBrowser; session?: Session } = {}) {
  const world = createFakeEnvironment(0.5, browser);
  const onState = vi.fn<(state: State) => void>();
  const emit = vi.fn<(name: string, detail: object) => boolean>(() => true);
  const emitted = (name: string) =>
    emit.mock.calls.filter(([one]) => one === name).map(([, detail]) => detail as never);
  const controller = createController({
    environment: world.environment,
    baseUrl: '/checkout',
    body: '{"orderId":"1001"}',
    session,
    onState,
    emit: emit as unknown as Emit,
  });
  return {
    world,
    controller,
    emit,
    emitted,
    onState,
    state: () => onState.mock.lastCall?.[0],
    left: () => [world.timers(), world.listeners(), world.open()],
    /** Responds to the POST, and lets polling start. */
    open: async (changes: Partial<PaymentView> = {}) => {
      await world.last().respond(sessionOf(changes), { status: 201, headers: headersOf('a') });
      await settle();
    },
    see: (changes: Partial<PaymentView>, tag = 'b') =>
      world.last().respond(viewOf(changes), { headers: headersOf(tag) }),
  };
}

describe('the controller', () => {
  it('reports an error of the screen, and keeps polling', async () => {
    const { world, open, see, state, onState } = setUp();
    const broken = new Error('Not rendered.');
    onState.mockImplementation(() => {
      throw broken;
    });
    await open();
    await see({ chargedAmount: 7 });
    onState.mockReset();
    expect(world.reports).toEqual([broken, broken]);
    await world.advance(1000);
    await see({ outcome: 'paid', status: 'succeeded' }, 'c');
    expect(state()).toMatchObject({ name: 'succeeded', connection: 'ok' });
  });

  it('creates a session, shows the account, and watches its payment', async () => {
    const { world, controller, open, see, state, emitted, left } = setUp();
    await open();
    expect(state()).toMatchObject({ name: 'awaitingTransfer', payment: viewOf(), connection: 'ok' });
    expect(world.last().headers.get('if-none-match')).toBe('"a"');
    await world.advance(5000);
    await see({ status: 'charged', chargedAmount: 1_250_000 });
    await world.advance(5000);
    const paid = viewOf({ status: 'succeeded', outcome: 'paid', chargedAmount: 1_250_000 });
    await see(paid, 'c');
    expect(emitted('statusChange').map(({ state: name }) => name)).toEqual([
      'awaitingTransfer',
      'confirming',
      'succeeded',
    ]);
    expect([emitted('ready'), emitted('succeeded')]).toEqual([
      [{ payment: viewOf() }],
      [{ payment: paid, isFirst: true }],
    ]);
    expect(world.open()).toBe(0);
    controller.stop();
    await settle();
    expect(left()).toEqual([0, 0, 0]);
  });

  it('sends no POST for a given session, and retrieves the service’s clock at once', async () => {
    const { world, state } = setUp({ session: sessionOf() });
    await settle();
    expect(state()).toMatchObject({ name: 'awaitingTransfer' });
    expect(world.requests.map(({ url }) => url)).toEqual(['/checkout/sessions/order-1001-1']);
    expect(world.last().headers.has('prefer')).toBe(false);
    expect(state()?.serviceOffsetMs).toBeUndefined();
    await world.last().respond(viewOf(), { headers: headersOf('a') });
    expect(state()?.serviceOffsetMs).toBe(serviceTimeMs - world.environment.now());
  });
});

describe('the controller that cannot create a session', () => {
  it.each([true, false])('reports the error unless the page prevents it: %s', async (mayReport) => {
    const { world, emit } = setUp();
    emit.mockReturnValue(mayReport);
    await world.last().respond('<html>');
    expect(world.reports).toMatchObject(mayReport ? [{ code: 'invalid_response' }] : []);
    const error = expect.objectContaining({ code: 'invalid_response' });
    expect(emit).toHaveBeenCalledWith('error', { error });
  });

  it('aborts the open attempt on `restart`', async () => {
    const { world, controller } = setUp();
    const first = world.last();
    controller.restart();
    await settle();
    expect(first.signal.aborted).toBe(true);
    expect([world.requests.length, world.open()]).toEqual([2, 1]);
  });
});

it('the controller renews its secret after a check that was refused because of it, and hides the account until then', async () => {
  const { world, controller, open, state, emitted, left } = setUp();
  await open();
  await world.last().respond({ code: 'session_unauthorized' }, { status: 401 });
  expect(state()).toMatchObject({ name: 'checking', connection: 'refused' });
  expect(world.last().init.method).toBe('POST');
  expect(world.last().headers.get('prefer')).toBe('payment=existing');
  await world.last().respond({ code: 'session_unauthorized' }, { status: 401 });
  await world.advance(999);
  expect(world.open()).toBe(0);
  await world.advance(1);
  expect(emitted('error')).toHaveLength(1);
  const renewed = { ...sessionOf(), clientSecret: 'cs_test_another' };
  await world.last().respond(renewed, { headers: headersOf('a') });
  await settle();
  expect(state()).toMatchObject({ name: 'awaitingTransfer', connection: 'ok' });
  expect(world.last().headers.get('checkout-secret')).toBe('cs_test_another');
  expect(world.open()).toBe(1);
  controller.stop();
  await settle();
  expect(left()).toEqual([0, 0, 0]);
});

it('a shopper who claims the transfer sees it checked, also after expiry, and `sent` is emitted once', async () => {
  const { world, controller, open, see, state, emitted } = setUp();
  await open();
  const before = world.requests.length;
  controller.claimTransfer();
  await settle();
  const claimedAtMs = world.environment.now();
  expect(state()).toMatchObject({ name: 'checking', reason: 'sent', claimedAtMs });
  expect(world.requests.length).toBeGreaterThan(before);
  await see({ outcome: 'expired', status: 'expired' });
  expect(state()).toMatchObject({ name: 'checking', payment: { outcome: 'expired' } });
  controller.claimTransfer();
  expect(emitted('sent')).toEqual([{ payment: viewOf() }]);
  controller.withdrawClaim();
  expect(state()).toMatchObject({ name: 'expired' });
});

describe('an outcome', () => {
  it.each([
    ['expired', { outcome: 'expired', status: 'expired' }],
    ['failed', { outcome: 'failed', status: 'failed' }],
    ['reversed', { outcome: 'reversed', status: 'reversed' }],
    ['receivedLate', { outcome: 'paid', receivedLate: true }],
  ] as const)('has an event of its name: %s', async (name, changes) => {
    const { open, see, emitted } = setUp();
    await open();
    await see(changes, 'b');
    expect(emitted(name)).toHaveLength(1);
  });

  it('is emitted once per payment, and once per part', async () => {
    const { world, controller, open, see, emitted } = setUp();
    await open({ outcome: 'expired', status: 'expired' });
    controller.claimTransfer();
    controller.withdrawClaim();
    expect(emitted('expired').length).toBe(1);
    await world.advance(15_000);
    for (const [chargedAmount, tag] of [
      [1, 'b'],
      [1, 'c'],
      [2, 'd'],
    ] as const) {
      await see({ chargedAmount }, tag);
      await world.advance(5000);
    }
    expect(
      emitted('partlyPaid').map(({ payment }: { payment: PaymentView }) => payment.chargedAmount),
    ).toEqual([1, 2]);
  });
});

/** Money that arrived on the shopper's previous account. */
const elsewhere = { paymentReference: 'order-1001-1', chargedAmount: 1_250_000 } as const;
const paidElsewhere = { ...elsewhere, outcome: 'paid', status: 'succeeded', receivedLate: true } as const;

describe('a tab whose order is paid through another account', () => {
  const second = { reference: 'order-1001-2' };

  it('shows the payment at once, and emits one event with it', async () => {
    const { world, open, see, state, emitted } = setUp();
    await open(second);
    await world.advance(5000);
    await see({ ...second, ...elsewhere, status: 'charged' });
    expect(state()).toMatchObject({ name: 'confirming', payment: { reference: 'order-1001-2' } });
    await world.advance(5000);
    const view = viewOf({ ...second, ...paidElsewhere });
    await see(view, 'c');
    expect(state()).toMatchObject({ name: 'receivedLate', payment: view });
    expect(emitted('receivedLate')).toEqual([{ payment: view, isFirst: true }]);
    await world.advance(15_000);
    // Later the server may describe the second payment, which is paid too.
    await see({ ...second, ...elsewhere, paymentReference: undefined, outcome: 'paid' }, 'd');
    await world.advance(15_000);
    await see({ ...second, ...elsewhere, paymentReference: 'order-1001-3', outcome: 'paid' }, 'e');
    expect([emitted('receivedLate').length, emitted('succeeded').length]).toEqual([1, 0]);
  });

  it('emits an event for the next paid order', async () => {
    const { controller, open, emitted } = setUp();
    await open({ outcome: 'paid' });
    controller.restart();
    await open({ reference: 'order-1002-1', outcome: 'paid' });
    expect(emitted('succeeded').length).toBe(2);
  });
});

describe('a paid order', () => {
  const paid = { outcome: 'paid', status: 'succeeded' } as const;

  /** Opens a page that finds the payment paid, and returns what its event says. */
  async function load(browser: FakeBrowser, changes: Partial<PaymentView> = {}, afterMs = 0) {
    const { world, controller, open, emit } = setUp({ browser });
    world.setDate(world.environment.date() + afterMs);
    await open({ ...paid, ...changes });
    controller.stop();
    return emit.mock.calls.flatMap(([, detail]) => ('isFirst' in detail ? [detail.isFirst] : []));
  }

  it('is the first only once in a browser, however it is reported again', async () => {
    const browser = createFakeBrowser();
    const day = 1440 * minute;
    expect(await load(browser)).toEqual([true]);
    expect(await load(browser)).toEqual([false]);
    expect(await load(browser, { receivedLate: true }, day)).toEqual([false]);
    // The session of the order's next account, whose view describes the paid one.
    expect(await load(browser, { reference: 'order-1001-2', paymentReference: 'order-1001-1' })).toEqual([
      false,
    ]);
    expect(await load(browser, { reference: 'order-1002-1' })).toEqual([true]);
    expect(await load(createFakeBrowser())).toEqual([true]);
  });

  it('leaves no reference in the storage, and keeps the last hundred', async () => {
    const browser = createFakeBrowser();
    for (let order = 0; order < 101; order++) await load(browser, { reference: `order-${order}` });
    expect(browser.readReported()).toMatch(/^[0-9a-f ]+$/);
    expect(browser.readReported()?.split(' ')).toHaveLength(100);
    expect(await load(browser, { reference: 'order-100' })).toEqual([false]);
  });
});

describe('a stopped controller', () => {
  it.each([
    'while it creates a session',
    'while it waits to retry',
    'while it watches',
    'while it is hidden',
  ])('leaves no timer, listener or request, and emits nothing, if it is stopped %s', async (when) => {
    const { world, controller, open, emit, onState, left } = setUp();
    if (when === 'while it waits to retry') await world.last().fail();
    if (when === 'while it watches' || when === 'while it is hidden') await open();
    if (when === 'while it is hidden') await world.hide();
    emit.mockClear();
    onState.mockClear();
    controller.stop();
    controller.restart();
    controller.refresh();
    await settle();
    await world.advance(60 * minute);
    expect(left()).toEqual([0, 0, 0]);
    expect([emit.mock.calls, onState.mock.calls]).toEqual([[], []]);
  });

  it('does not watch if the page’s callback has stopped it', async () => {
    const { controller, open, emit, left } = setUp();
    emit.mockImplementation(() => {
      controller.stop();
      return true;
    });
    await open();
    expect(left()).toEqual([0, 0, 0]);
  });
});
