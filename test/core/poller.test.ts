import { describe, expect, it } from 'vitest';
import type { CheckoutError, Outcome } from '../../src/contract/index.ts';
import { pollPayment } from '../../src/core/polling/poller.ts';
import type { CheckoutResponse } from '../../src/core/session/send-request.ts';
import { createSessionClient } from '../../src/core/session/session-client.ts';
import { settle } from '../settle.ts';
import { createFakeEnvironment } from './fake-environment.ts';
import { headersOf, sessionOf, viewOf } from './views.ts';

const minute = 60_000;

function setUp({ outcome = 'pending', etag = '"a"' as string | null, random = 0.5 } = {}) {
  const world = createFakeEnvironment(random);
  const client = createSessionClient({ environment: world.environment, baseUrl: '/checkout' });
  const controller = new AbortController();
  const responses: CheckoutResponse<unknown>[] = [];
  const errors: CheckoutError[] = [];
  let isDone = false;
  const poller = pollPayment({
    environment: world.environment,
    name: '/checkout/sessions/order-1001-1',
    reference: 'order-1001-1',
    retrieve: (options) => client.retrieveView(sessionOf(), options),
    view: viewOf({ outcome: outcome as Outcome }),
    etag: etag ?? undefined,
    lateWatchMs: 10 * minute,
    onResponse: (response) => responses.push(response),
    onError: (error) => errors.push(error),
    signal: controller.signal,
  });
  void poller.done.then(() => {
    isDone = true;
  });
  return {
    world,
    poller,
    responses,
    errors,
    stop: () => controller.abort(),
    isDone: () => isDone,
    /** The wait that the last request asked for, and the ETag that it knew. */
    asked: () => [world.last().headers.get('prefer'), world.last().headers.get('if-none-match')],
    /** Answers the open look after so much time. */
    answer: async (changes: Parameters<typeof viewOf>[0], tag: string, afterMs = 5000, more = {}) => {
      await world.advance(afterMs);
      await world.last().answer(viewOf(changes), { headers: headersOf(tag, more) });
    },
    unchanged: async (afterMs = 25_000, more = {}) => {
      await world.advance(afterMs);
      await world.last().answer(undefined, { status: 304, headers: headersOf('a', more) });
    },
  };
}

describe('the poller', () => {
  it('lets the server hold the answer, and asks again at once when it was held', async () => {
    const { world, asked, unchanged } = setUp();
    expect(asked()).toEqual(['wait=25', '"a"']);
    await unchanged();
    expect(world.requests.length).toBe(2);
    expect(asked()).toEqual(['wait=25', '"a"']);
  });

  it('asks without a wait as long as it knows no ETag', () => {
    expect(setUp({ etag: null }).asked()).toEqual([null, null]);
  });

  it('goes on with the ETag of the newest view', async () => {
    const { answer, asked } = setUp();
    await answer({ chargedAmount: 5 }, 'b');
    expect(asked()).toEqual(['wait=25', '"b"']);
  });

  it('never has two requests open, whatever happens', async () => {
    const { world, poller, unchanged } = setUp();
    for (let round = 0; round < 5; round += 1) {
      poller.checkNow();
      poller.checkNow();
      await world.wake();
      await world.hide();
      await world.show();
      await unchanged(10);
      await world.advance(minute);
    }
    expect(world.requests.length).toBeGreaterThan(5);
    expect(world.mostOpen()).toBe(1);
  });

  it('polls at the pace of the server’s header where responses are not held', async () => {
    const { world, unchanged } = setUp();
    await unchanged(10, { 'checkout-next-poll-ms': '7000' });
    await world.advance(6999);
    expect(world.requests.length).toBe(1);
    await world.advance(1);
    expect(world.requests.length).toBe(2);
  });

  it.each([{}, { 'checkout-next-poll-ms': '0' }])(
    'never storms a server that responses at once: %j',
    async (headers) => {
      const { world, unchanged } = setUp();
      await unchanged(10, headers);
      await world.advance(2999);
      expect(world.requests.length).toBe(1);
      await world.advance(1);
      expect(world.requests.length).toBe(2);
    },
  );

  it('spaces views that change all the time', async () => {
    const { world, answer } = setUp();
    await answer({ chargedAmount: 1 }, 'b', 0);
    expect(world.requests.length).toBe(1);
    await world.advance(1000);
    expect(world.requests.length).toBe(2);
  });
});

describe('the poller and the page', () => {
  it('drops its request when the page is hidden, and asks nothing until it is seen', async () => {
    const { world, asked } = setUp();
    await world.hide();
    expect([world.open(), world.timers()]).toEqual([0, 0]);
    await world.wake();
    await world.advance(60 * minute);
    expect(world.requests.length).toBe(1);
    await world.show();
    expect(world.requests.length).toBe(2);
    expect(asked()).toEqual([null, '"a"']);
  });

  it('looks at once when the page is restored or back online, instead of waiting for a held answer', async () => {
    const { world, asked } = setUp();
    const held = world.last();
    await world.wake();
    expect(held.signal.aborted).toBe(true);
    expect(asked()).toEqual([null, '"a"']);
  });

  it('makes one look of several reasons to look', async () => {
    const { world, poller } = setUp();
    await world.hide();
    await world.show();
    await world.wake();
    poller.checkNow();
    await settle();
    expect(world.requests.length).toBe(2);
  });

  it('listens again right after a look that was wanted at once', async () => {
    const { world, asked, unchanged } = setUp();
    await world.wake();
    expect(asked()).toEqual([null, '"a"']);
    await unchanged(10, { 'checkout-next-poll-ms': '7000' });
    expect([world.requests.length, asked()]).toEqual([3, ['wait=25', '"a"']]);
    // A server that does not hold that is not asked again and again.
    await unchanged(10);
    await world.advance(2999);
    expect(world.requests.length).toBe(3);
  });

  it('looks at once during a pause between looks', async () => {
    const { world, unchanged } = setUp();
    await unchanged(10);
    expect(world.open()).toBe(0);
    await world.wake();
    expect(world.open()).toBe(1);
  });

  it('that is hidden from the start waits to be seen', async () => {
    const world = createFakeEnvironment();
    await world.hide();
    const client = createSessionClient({ environment: world.environment, baseUrl: '/checkout' });
    pollPayment({
      environment: world.environment,
      name: '/checkout/sessions/order-1001-1',
      reference: 'order-1001-1',
      retrieve: (options) => client.retrieveView(sessionOf(), options),
      view: viewOf(),
      etag: undefined,
      lateWatchMs: 0,
      onResponse: () => {},
      onError: () => {},
      signal: new AbortController().signal,
    });
    await world.advance(minute);
    expect(world.requests.length).toBe(0);
    await world.show();
    expect(world.requests.length).toBe(1);
  });
});

describe('the poller after an error', () => {
  it('backs off longer each time, with jitter, and starts over after an answer', async () => {
    const { world, errors, unchanged } = setUp({ random: 0.5 });
    for (const pauseMs of [1000, 2000, 4000]) {
      const before = world.requests.length;
      await world.last().fail();
      await world.advance(pauseMs - 1);
      expect(world.requests.length).toBe(before);
      await world.advance(1);
      expect(world.requests.length).toBe(before + 1);
    }
    expect(errors.map(({ code }) => code)).toEqual(['network_error', 'network_error', 'network_error']);
    await unchanged();
    await world.last().fail();
    const before = world.requests.length;
    await world.advance(1000);
    expect(world.requests.length).toBe(before + 1);
  });

  it('stays away for as long as Retry-After says, also when the page wakes', async () => {
    const { world } = setUp();
    await world.last().answer('', { status: 429, headers: { 'retry-after': '60' } });
    await world.wake();
    await world.advance(59_999);
    expect(world.requests.length).toBe(1);
    await world.advance(1);
    expect(world.requests.length).toBe(2);
  });

  it('looks at once when the network is back', async () => {
    const { world } = setUp();
    await world.last().fail();
    await world.wake();
    expect(world.requests.length).toBe(2);
  });

  it.each([401, 403, 404, 400])(
    'of status %i rests, and looks once more when the shopper comes back',
    async (status) => {
      const { world, errors, isDone, answer, responses } = setUp();
      await world.last().answer('', { status });
      expect(errors.length).toBe(1);
      expect([isDone(), world.timers(), world.open()]).toEqual([false, 0, 0]);
      await world.advance(60 * minute);
      expect(world.requests.length).toBe(1);
      await world.wake();
      expect(world.requests.length).toBe(2);
      await answer({ outcome: 'paid' }, 'b', 10);
      expect(responses.length).toBe(1);
    },
  );

  it('does not take its own aborting for an error', async () => {
    const { world, errors } = setUp();
    await world.hide();
    await world.show();
    expect(errors).toEqual([]);
  });
});

describe('the poller of a payment whose outcome is decided', () => {
  it.each(['paid', 'failed', 'reversed', 'amountMismatch', 'replaced'] as const)(
    'at %s looks every 15 seconds, after ten minutes once a minute, and has no answer held',
    async (outcome) => {
      const { world, answer, responses, asked, unchanged } = setUp();
      await answer({ outcome }, 'b');
      expect([responses.length, world.open()]).toEqual([1, 0]);
      for (let waitedMs = 0; waitedMs < 10 * minute; waitedMs += 15_000) {
        await world.advance(14_999);
        expect(world.open()).toBe(0);
        await world.advance(1);
        expect(asked()).toEqual([null, '"b"']);
        await world.last().answer(undefined, { status: 304, headers: headersOf('b') });
      }
      await world.advance(59_999);
      expect(world.open()).toBe(0);
      await world.advance(1);
      await unchanged(0);
      expect(world.open()).toBe(0);
    },
  );

  it('waits for its first look too, where the outcome is known from the beginning', async () => {
    const { world } = setUp({ outcome: 'paid' });
    await world.advance(14_999);
    expect(world.requests.length).toBe(0);
    await world.advance(1);
    expect(world.open()).toBe(1);
  });

  it('hears of a second transfer, and then looks as often as at first', async () => {
    const { world, answer, responses, unchanged } = setUp();
    await answer({ outcome: 'expired' }, 'b');
    for (let looks = 0; looks < 60; looks += 1) await unchanged(minute);
    await answer({ outcome: 'paid', orderChargedAmount: 2_500_000 }, 'c', minute);
    expect(responses.at(-1)).toMatchObject({ value: { orderChargedAmount: 2_500_000 } });
    await world.advance(15_000);
    expect(world.open()).toBe(1);
  });

  it('is not hurried by a server that knows nothing of the other payment that has paid the order', async () => {
    const { world, answer, asked } = setUp();
    await answer({ outcome: 'paid', paymentReference: 'order-1001-0' }, 'b');
    await answer({}, 'c', 15_000);
    await world.advance(14_999);
    expect(world.open()).toBe(0);
    await world.advance(1);
    expect(asked()).toEqual([null, '"c"']);
  });

  it('comes as seldom as the server wishes', async () => {
    const { world, answer } = setUp();
    await answer({ outcome: 'paid' }, 'b', 10, { 'checkout-next-poll-ms': '40000' });
    await world.advance(39_999);
    expect(world.open()).toBe(0);
    await world.advance(1);
    expect(world.open()).toBe(1);
  });

  it('asks nothing while nobody can see the page, and at once when it is shown', async () => {
    const { world, answer } = setUp();
    await answer({ outcome: 'paid' }, 'b');
    await world.hide();
    await world.advance(60 * minute);
    expect(world.open()).toBe(0);
    await world.show();
    expect(world.open()).toBe(1);
  });
});

describe('the poller ends', () => {
  it('never for money that is late: it looks every 15 seconds, and after ten minutes once a minute', async () => {
    const { world, answer, responses, unchanged, isDone } = setUp();
    await answer({ outcome: 'expired', status: 'expired' }, 'b');
    for (let waitedMs = 0; waitedMs < 10 * minute; waitedMs += 15_000) {
      await world.advance(14_999);
      expect(world.open()).toBe(0);
      await world.advance(1);
      await unchanged(0);
    }
    for (let looks = 0; looks < 60; looks++) {
      await world.advance(59_999);
      expect(world.open()).toBe(0);
      await world.advance(1);
      await unchanged(0);
    }
    expect(isDone()).toBe(false);
    await world.wake();
    await answer({ outcome: 'paid' }, 'c', 10);
    expect(responses.at(-1)).toMatchObject({ value: { outcome: 'paid' } });
  });

  it('not before it has looked once, when the page was hidden all the time after expiry', async () => {
    const { world, answer, isDone } = setUp();
    await answer({ outcome: 'expired' }, 'b');
    await world.hide();
    await world.advance(60 * minute);
    expect(isDone()).toBe(false);
    await world.show();
    await world.last().answer(undefined, { status: 304, headers: headersOf('b') });
    expect([isDone(), world.open()]).toEqual([false, 0]);
  });

  it('not when money lands late: it is followed to its outcome', async () => {
    const { world, answer, responses, isDone } = setUp();
    await answer({ outcome: 'expired' }, 'b');
    await world.advance(15_000);
    await answer({ outcome: 'pending', status: 'charged' }, 'c');
    await world.advance(60 * minute);
    expect(isDone()).toBe(false);
    await world.show();
    await answer({ outcome: 'paid' }, 'd', 10);
    expect(responses.at(-1)).toMatchObject({ value: { outcome: 'paid' } });
  });

  it.each(['a held look', 'a pause', 'a hidden page'])(
    'when it is stopped during %s, leaving nothing behind',
    async (during) => {
      const { world, unchanged, stop, isDone, errors } = setUp();
      if (during === 'a pause') await unchanged(10);
      if (during === 'a hidden page') await world.hide();
      stop();
      await settle();
      expect([isDone(), world.timers(), world.listeners(), world.open()]).toEqual([true, 0, 0, 0]);
      expect(errors).toEqual([]);
    },
  );
});
