import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PaymentView } from '../../src/contract/index.ts';
import { type CheckoutModelOptions, createCheckoutModel } from '../../src/model/checkout-model.ts';
import { createTimers } from '../../src/model/create-timers.ts';
import { createFakeBrowser } from '../core/fake-browser.ts';
import { createFakeEnvironment } from '../core/fake-environment.ts';
import { headersOf, serviceTimeMs, sessionOf, viewOf } from '../core/views.ts';
import { settleImports } from '../settle.ts';

function setUp(options: Partial<CheckoutModelOptions> = {}, browser = createFakeBrowser()) {
  const world = createFakeEnvironment(0.5, browser);
  const go = vi.fn();
  const model = createCheckoutModel({
    environment: world.environment,
    baseUrl: '/checkout',
    body: '{}',
    ...options,
  });
  const later = createTimers(model, go);
  onTestFinished(() => {
    later.stop();
    model.stop();
  });
  const open = async (changes: Partial<PaymentView> = {}) => {
    await world.last().answer(sessionOf(changes), { headers: headersOf('a') });
    await settleImports();
  };
  const see = async (changes: Partial<PaymentView>, tag = 'b') => {
    await world.advance(2000);
    await world.last().answer(viewOf(changes), { headers: headersOf(tag) });
    await settleImports();
  };
  return { world, model, later, go, open, see };
}

describe('another account that is asked for', () => {
  const expired = { outcome: 'expired', status: 'expired' } as const;

  it.each([
    ['the same payment comes back under its own name', { ...expired, reference: 'order-1001-1' }, true],
    ['another expired payment comes', { ...expired, reference: 'order-1001-3' }, false],
  ])('is known not to be there when %s', async (_name, next, isKept) => {
    const { model, later, open } = setUp();
    await open({ ...expired, reference: 'order-1001-2', paymentReference: 'order-1001-1' });
    model.restart();
    await settleImports();
    await open(next);
    expect(later.isKept.value).toBe(isKept);
  });
});

describe('the model', () => {
  it('begins with loading and no time', () => {
    const { model, later } = setUp();
    expect(model.state.value).toMatchObject({ name: 'loading' });
    expect(later.remainingMs.value).toBeUndefined();
  });

  it('leaves nothing behind when it is stopped', async () => {
    const { world, model, later, open } = setUp({ locale: 'fr' });
    await open();
    later.stop();
    model.stop();
    await settleImports();
    expect([world.timers(), world.listeners(), world.open()]).toEqual([0, 0, 0]);
  });
});

describe('the time left', () => {
  it('is counted by the service’s clock', async () => {
    const { world, later, open } = setUp();
    await open();
    await world.advance(60_000);
    expect(later.remainingMs.value).toBe(1_740_000);
  });

  it('of another payment is another', async () => {
    const { model, later, open } = setUp();
    await open();
    model.restart();
    expect(later.remainingMs.value).toBeUndefined();
    await settleImports();
    await open({ reference: 'order-1001-2', expiresAt: '2026-03-01T12:10:00Z' });
    expect(later.remainingMs.value).toBe(600_000);
  });

  it('is that of the payment that the view describes', async () => {
    const { later, open, see } = setUp();
    await open({ reference: 'order-1001-2' });
    await see({
      reference: 'order-1001-2',
      paymentReference: 'order-1001-1',
      chargedAmount: 500_000,
      expiresAt: '2026-03-01T12:10:00Z',
    });
    expect(later.remainingMs.value).toBe(600_000);
  });

  it('asks the server at zero instead of declaring expiry', async () => {
    const { world, model, later, open } = setUp();
    await open({ expiresAt: new Date(serviceTimeMs + 10_000).toISOString() });
    await world.advance(10_000);
    expect(later.remainingMs.value).toBe(0);
    expect(model.state.value).toMatchObject({ name: 'awaitingTransfer' });
    expect(world.last().headers.has('prefer')).toBe(false);
  });

  it('does not count where there is nothing to pay', async () => {
    const { later, open, see } = setUp();
    await open();
    await see({ status: 'charged' });
    expect(later.remainingMs.value).toBeUndefined();
  });
});

describe('while the network is away', () => {
  it('tells how long ago the server last answered, and goes on telling', async () => {
    const { world, later, open } = setUp();
    await open();
    await world.tell('offline');
    await world.advance(40_000);
    expect(later.sinceLookMs.value).toBe(40_000);
    await world.tell('online');
    expect(later.sinceLookMs.value).toBeUndefined();
  });
});

describe('money that is looked for', () => {
  it('tells how long ago the server last answered, as long as it is looked for', async () => {
    const { world, model, later, open, see } = setUp();
    await open();
    expect(later.sinceLookMs.value).toBeUndefined();
    model.saySent();
    await world.advance(10_000);
    expect(later.sinceLookMs.value).toBe(10_000);
    await see({ outcome: 'paid' });
    expect(later.sinceLookMs.value).toBeUndefined();
  });

  it('takes long after five minutes, whatever is looked up meanwhile', async () => {
    const { world, model, later, open, see } = setUp();
    await open();
    model.saySent();
    await world.advance(200_000);
    model.refresh();
    await see({ outcome: 'expired', status: 'expired' });
    await world.advance(97_999);
    expect([model.state.value.name, later.isLong.value]).toEqual(['checking', false]);
    await world.advance(1);
    expect(later.isLong.value).toBe(true);
    model.sayNotSent();
    expect(later.isLong.value).toBe(false);
  });

  it('takes long at once where it was said more than five minutes ago, before a reload', async () => {
    const browser = createFakeBrowser();
    const options = { body: '{"orderId":"1001"}' };
    const before = setUp(options, browser);
    await before.open();
    before.model.saySent();
    before.model.stop();
    const { world, model, later, open } = setUp(options, browser);
    world.setDate(before.world.environment.date() + 299_999);
    await settleImports();
    await open();
    expect([model.state.value.name, later.isLong.value]).toEqual(['checking', false]);
    await world.advance(1);
    expect(later.isLong.value).toBe(true);
  });
});

describe('the way back to the shop', () => {
  const options = { returnUrl: 'https://shop.example/orders', returnAfterSeconds: 5 };

  it('is followed a moment after the payment was seen to succeed', async () => {
    const { world, later, go, open, see } = setUp(options);
    await open();
    await see({ outcome: 'paid' });
    expect(later.returnInSeconds.value).toBe(5);
    await world.advance(4999);
    expect([later.returnInSeconds.value, go.mock.calls]).toEqual([1, []]);
    await world.advance(1);
    expect(go.mock.calls).toEqual([['https://shop.example/orders']]);
  });

  it('is not followed when the shopper stays', async () => {
    const { world, later, go, open, see } = setUp(options);
    await open();
    await see({ outcome: 'paid' });
    later.stopReturning();
    await world.advance(60_000);
    expect([later.returnInSeconds.value, go.mock.calls]).toEqual([undefined, []]);
  });

  it.each<[string, Partial<CheckoutModelOptions>, Partial<PaymentView>]>([
    ['no option says so', { returnUrl: options.returnUrl }, { outcome: 'paid' }],
    ['the page prevents it', { ...options, emit: () => false }, { outcome: 'paid' }],
    ['the money came late', options, { outcome: 'paid', receivedLate: true }],
  ])('is not followed when %s', async (_why, own, changes) => {
    const { world, go, open, see } = setUp(own);
    await open();
    await see(changes);
    await world.advance(60_000);
    expect(go).not.toHaveBeenCalled();
  });

  it('is not followed on a page that finds the payment paid already', async () => {
    const { world, go, open } = setUp(options);
    await open({ outcome: 'paid' });
    await world.advance(60_000);
    expect(go).not.toHaveBeenCalled();
  });
});

describe('leaving', () => {
  it.each<[Partial<PaymentView>, 'freely' | 'warned' | 'never']>([
    [{}, 'warned'],
    [{ chargedAmount: 5 }, 'warned'],
    [{ outcome: 'expired' }, 'warned'],
    [{ outcome: 'unclear' }, 'warned'],
    [{ outcome: 'replaced' }, 'freely'],
    [{ status: 'charged' }, 'never'],
    [{ outcome: 'paid' }, 'freely'],
    [{ outcome: 'failed' }, 'freely'],
  ])('a payment that is %j: %s', async (changes, how) => {
    const { later, open } = setUp();
    await open(changes);
    const leave = vi.fn();
    later.leave(leave);
    expect(leave.mock.calls.length).toBe(how === 'freely' ? 1 : 0);
    expect(later.leaving.value).toBe(how === 'warned' ? leave : undefined);
  });

  it('is asked about no more when the money has arrived, or the shopper stays', async () => {
    const { later, open, see } = setUp();
    await open();
    later.leave(() => {});
    later.stayHere();
    expect(later.leaving.value).toBeUndefined();
    later.leave(() => {});
    await see({ outcome: 'paid' });
    expect(later.leaving.value).toBeUndefined();
  });
});

describe('the language', () => {
  it('is there before the first words are', async () => {
    const { model } = setUp({ locale: 'fr' });
    expect(model.speech.value.text('loading')).toBe('');
    await settleImports();
    expect([model.speech.value.text('loading'), model.speech.value.locale]).toEqual([
      'Nous demandons votre numéro de compte…',
      'fr',
    ]);
  });

  it('is English when it does not come in time, and changes when it comes', async () => {
    let arrive = (_words: { copy: string }): void => {};
    const languages = { pcm: () => new Promise<{ copy: string }>((resolve) => (arrive = resolve)) };
    const { world, model } = setUp({ locale: 'pcm', languages });
    await settleImports();
    await world.advance(4000);
    expect([model.speech.value.text('copy'), model.speech.value.locale]).toEqual(['Copy', 'en']);
    arrive({ copy: 'Copy am' });
    await settleImports();
    expect([
      model.speech.value.text('copy'),
      model.speech.value.text('copied'),
      model.speech.value.locale,
    ]).toEqual(['Copy am', 'Copied', 'pcm']);
  });

  it('is English when it cannot be loaded, and the error is reported', async () => {
    const lost = new Error('Lost.');
    const { world, model } = setUp({ locale: 'pcm', languages: { pcm: () => Promise.reject(lost) } });
    await settleImports();
    expect([model.speech.value.text('copy'), world.reports]).toEqual(['Copy', [lost]]);
  });

  it('is the page’s, among those that are asked for', async () => {
    const { model } = setUp({ locale: ['en', 'fr'], preferredLanguages: ['fr-FR', 'en'] });
    await settleImports();
    expect(model.speech.value.text('copy')).toBe('Copier');
  });

  it('can be changed while the checkout is there, and back', async () => {
    const { model } = setUp();
    model.update({ locale: 'fr' });
    // What is said already stays until the other words are there.
    expect([model.speech.value.text('copy'), model.speech.value.isSilent]).toEqual(['Copy', false]);
    await settleImports();
    expect(model.speech.value.text('copy')).toBe('Copier');
    model.update({ text: { copy: 'Take' } });
    expect(model.speech.value.text('copy')).toBe('Take');
    expect(model.speech.value.text('copied')).toBe('Copied');
  });
});
