import { describe, expect, it } from 'vitest';
import { type CheckoutError, checkoutErrorStatus, type PaymentView } from '../../src/contract/index.ts';
import type { CheckoutResponse } from '../../src/core/http.ts';
import { pollPayment } from '../../src/core/poll.ts';
import { createSessionClient } from '../../src/core/session-client.ts';
import { settle } from '../settle.ts';
import { createFakeEnvironment } from './fake-environment.ts';
import { headersOf, sessionOf, viewOf } from './views.ts';

const minute = 60_000;
/** The headers of a server that asks for no pause. */
const noPause = { 'checkout-next-poll-ms': '0' };

function setUp({ isHidden = false } = {}) {
  const world = createFakeEnvironment();
  if (isHidden) void world.hide();
  const client = createSessionClient({ environment: world.environment, baseUrl: '/checkout' });
  const controller = new AbortController();
  const responses: CheckoutResponse<unknown>[] = [];
  const errors: CheckoutError[] = [];
  let isDone = false;
  let shown: PaymentView['outcome'] = 'pending';
  const poller = pollPayment({
    environment: world.environment,
    retrieve: (options) => client.retrieve(sessionOf(), options),
    etag: '"a"',
    onResponse(response) {
      responses.push(response);
      shown = response.value?.outcome ?? shown;
      return shown;
    },
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
    isDone: () => isDone,
    /** The wait and the ETag of the last request. */
    sent: () => [world.last().headers.get('prefer'), world.last().headers.get('if-none-match')],
    /** Responds to the open check after that time. */
    respond: async (changes: Parameters<typeof viewOf>[0], tag: string, afterMs = 5000, more = {}) => {
      await world.advance(afterMs);
      await world.last().respond(viewOf(changes), { headers: headersOf(tag, more) });
    },
    unchanged: async (afterMs = 25_000, more = {}, tag = 'a') => {
      await world.advance(afterMs);
      await world.last().respond(undefined, { status: 304, headers: headersOf(tag, more) });
    },
  };
}

describe('the poller', () => {
  it('lets the server hold the response, and polls again at once after a held one', async () => {
    const { world, sent, unchanged } = setUp();
    expect(sent()).toEqual(['wait=25', '"a"']);
    await unchanged();
    expect(world.requests.length).toBe(2);
    expect(sent()).toEqual(['wait=25', '"a"']);
  });

  it('leaves the page its connections: it holds no request while two are held, and then polls', async () => {
    const { world, sent, respond, unchanged } = setUp();
    await respond({}, 'b');
    world.environment.held.count += 2;
    await respond({ chargedAmount: 5 }, 'c');
    await world.advance(10);
    expect(sent()).toEqual([null, '"c"']);
    await unchanged(0, {}, 'c');
    world.environment.held.count = 0;
    await world.advance(2999);
    expect(world.open()).toBe(0);
    await world.advance(1);
    expect([sent(), world.environment.held.count]).toEqual([['wait=25', '"c"'], 1]);
  });

  it('takes a press on a page that says it is hidden for a shopper, for a minute', async () => {
    const { world, poller, unchanged } = setUp();
    await world.hide();
    poller.checkNow();
    await settle();
    expect(world.open()).toBe(0);
    await world.dispatch('click');
    poller.checkNow();
    await settle();
    await unchanged(0);
    expect(world.open()).toBe(1);
    await unchanged(minute);
    expect(world.open()).toBe(0);
    await world.dispatch('click');
    await world.dispatch('visibilitychange');
    poller.checkNow();
    await settle();
    expect(world.open()).toBe(0);
  });

  it.each([
    ['returns a changed ETag as it came', { etag: 'W/"b-gzip"' }, ['wait=25', 'W/"b-gzip"']],
    ['forgets the ETag of the view before, where a proxy has removed the new one', {}, [null, null]],
  ])('%s', async (_name, headers, expected) => {
    const { world, sent } = setUp();
    await world.advance(5000);
    await world.last().respond(viewOf({ chargedAmount: 5 }), { headers });
    await world.advance(5000);
    expect(sent()).toEqual(expected);
  });

  it('never has two open requests', async () => {
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

  it.each([{ chargedAmount: 1 }, { outcome: 'expired' }] as const)(
    'polls again after a second where a held response has news at once: %j',
    async (news) => {
      const { world, respond } = setUp();
      await respond(news, 'b', 10, noPause);
      await world.advance(999);
      expect(world.open()).toBe(0);
      await world.advance(1);
      expect(world.open()).toBe(1);
    },
  );
});

describe('the poller and the page', () => {
  it('aborts its request when the page is hidden, and sends none until it is shown', async () => {
    const { world, sent } = setUp();
    await world.hide();
    expect([world.open(), world.timers()]).toEqual([0, 0]);
    await world.wake();
    await world.advance(60 * minute);
    expect(world.requests.length).toBe(1);
    await world.show();
    expect(world.requests.length).toBe(2);
    expect(sent()).toEqual([null, '"a"']);
  });

  it('makes one check for several reasons', async () => {
    const { world, poller } = setUp();
    await world.hide();
    await world.show();
    await world.wake();
    poller.checkNow();
    await settle();
    expect(world.requests.length).toBe(2);
  });

  it('starts a held request right after an immediate check', async () => {
    const { world, sent, unchanged } = setUp();
    await world.wake();
    expect(sent()).toEqual([null, '"a"']);
    await unchanged(10, { 'checkout-next-poll-ms': '7000' });
    expect([world.requests.length, sent()]).toEqual([3, ['wait=25', '"a"']]);
    // A server that does not hold requests is not polled repeatedly.
    await unchanged(10);
    await world.advance(2999);
    expect(world.requests.length).toBe(3);
  });

  it('waits for a page that is hidden from the start', async () => {
    const { world } = setUp({ isHidden: true });
    await world.advance(minute);
    expect(world.requests.length).toBe(0);
    await world.show();
    expect(world.requests.length).toBe(1);
  });
});

describe('the poller after an error', () => {
  it('backs off longer each time, with jitter, and resets after a response', async () => {
    const { world, errors, unchanged } = setUp();
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

  it.each(['session_unauthorized', 'forbidden', 'not_found', 'invalid_request'] as const)(
    'stops polling after %s, and checks once when the shopper returns',
    async (code) => {
      const { world, errors, isDone, respond, responses } = setUp();
      await world.last().respond({ code }, { status: checkoutErrorStatus[code] });
      expect(errors.length).toBe(1);
      expect([isDone(), world.timers(), world.open()]).toEqual([false, 0, 0]);
      await world.advance(60 * minute);
      expect(world.requests.length).toBe(1);
      await world.wake();
      expect(world.requests.length).toBe(2);
      await respond({ outcome: 'paid' }, 'b', 10);
      expect(responses.length).toBe(1);
    },
  );
});

describe('the poller of an expired or decided payment', () => {
  it.each(['expired', 'paid', 'failed', 'reversed', 'amountMismatch', 'replaced'] as const)(
    'lets the server hold the response, and after ten minutes polls once a minute: %s',
    async (outcome) => {
      const { world, respond, responses, sent, unchanged } = setUp();
      await respond({ outcome }, 'b', 5000, noPause);
      expect(responses.length).toBe(1);
      for (let waitedMs = 0; waitedMs < 10 * minute; waitedMs += 25_000) {
        expect(sent()).toEqual(['wait=25', '"b"']);
        await unchanged(25_000, noPause, 'b');
      }
      expect(world.open()).toBe(0);
      await world.advance(59_999);
      expect(world.open()).toBe(0);
      await world.advance(1);
      expect(world.open()).toBe(1);
    },
  );

  it('waits for a quarter of a minute where the server does not hold the response', async () => {
    const { world, respond, unchanged } = setUp();
    await respond({ outcome: 'expired' }, 'b', 5000, noPause);
    await unchanged(0, noPause, 'b');
    await world.advance(14_999);
    expect(world.open()).toBe(0);
    await world.advance(1);
    expect(world.open()).toBe(1);
  });
});
