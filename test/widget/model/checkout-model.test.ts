import { renderHook } from '@testing-library/preact';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PaymentView } from '../../../src/contract/index.ts';
import { type CheckoutModelOptions, createCheckoutModel } from '../../../src/widget/model/checkout-model.ts';
import { useViewState } from '../../../src/widget/model/view-state.ts';
import { createFakeBrowser } from '../../core/fake-browser.ts';
import { createFakeEnvironment } from '../../core/fake-environment.ts';
import { headersOf, sessionOf, viewOf } from '../../core/views.ts';
import { settleImports } from '../../settle.ts';

function setUp(options: Partial<CheckoutModelOptions> = {}, browser = createFakeBrowser()) {
  const world = createFakeEnvironment(0.5, browser);
  const navigate = vi.fn();
  const model = createCheckoutModel({
    environment: world.environment,
    baseUrl: '/checkout',
    body: '{}',
    ...options,
  });
  const showAgain = () => {
    const { result, unmount } = renderHook(() => useViewState(model, navigate));
    onTestFinished(unmount);
    return { ...result.current, stop: unmount };
  };
  onTestFinished(() => model.stop());
  const open = async (changes: Partial<PaymentView> = {}) => {
    await world.last().respond(sessionOf(changes), { headers: headersOf('a') });
    await settleImports();
  };
  const respond = async (changes: Partial<PaymentView>, tag = 'b') => {
    await world.advance(2000);
    await world.last().respond(viewOf(changes), { headers: headersOf(tag) });
    await settleImports();
  };
  return { world, model, viewState: showAgain(), showAgain, navigate, open, respond };
}

describe('a request for a new account', () => {
  const expired = { outcome: 'expired', status: 'expired' } as const;

  it.each([
    ['the same payment comes back under its own reference', { ...expired, reference: 'order-1001-1' }, true],
    ['another expired payment comes', { ...expired, reference: 'order-1001-3' }, false],
  ])('counts as refused or not when %s', async (_name, next, isKept) => {
    const { model, viewState, open } = setUp();
    await open({ ...expired, reference: 'order-1001-2', paymentReference: 'order-1001-1' });
    model.restart();
    await settleImports();
    await open(next);
    expect(viewState.details.value.isKept).toBe(isKept);
  });
});

it('the time left is reset for another payment', async () => {
  const { model, viewState, open } = setUp();
  await open();
  model.restart();
  expect(viewState.timeLeft.remainingMs.value).toBeUndefined();
  await settleImports();
  await open({ reference: 'order-1001-2', expiresAt: '2026-03-01T12:10:00Z' });
  expect(viewState.timeLeft.remainingMs.value).toBe(600_000);
});

describe('a claimed transfer', () => {
  it('tracks the time since the last response while it is being checked', async () => {
    const { world, model, viewState, open, respond } = setUp();
    await open();
    expect(viewState.lastCheck.sinceCheckMs.value).toBeUndefined();
    model.claimTransfer();
    await world.advance(10_000);
    expect(viewState.lastCheck.sinceCheckMs.value).toBe(10_000);
    await respond({ outcome: 'paid' });
    expect(viewState.lastCheck.sinceCheckMs.value).toBeUndefined();
  });

  it('takes long after five minutes, regardless of other checks', async () => {
    const { world, model, viewState, open, respond } = setUp();
    await open();
    model.claimTransfer();
    await world.advance(200_000);
    model.refresh();
    await respond({ outcome: 'expired', status: 'expired' });
    await world.advance(97_999);
    expect(model.state.value.name).toBe('checking');
    expect(viewState.details.value.isTakingLong).toBe(false);
    await world.advance(1);
    expect(viewState.details.value.isTakingLong).toBe(true);
    model.withdrawClaim();
    await settleImports();
    expect(viewState.details.value.isTakingLong).toBe(false);
  });

  it('takes long at once where it was claimed more than five minutes ago, before a reload', async () => {
    const browser = createFakeBrowser();
    const options = { body: '{"orderId":"1001"}' };
    const before = setUp(options, browser);
    await before.open();
    before.model.claimTransfer();
    before.model.stop();
    const { world, model, viewState, open } = setUp(options, browser);
    world.setDate(before.world.environment.date() + 299_999);
    await settleImports();
    await open();
    expect(model.state.value.name).toBe('checking');
    expect(viewState.details.value.isTakingLong).toBe(false);
    await world.advance(1);
    expect(viewState.details.value.isTakingLong).toBe(true);
  });
});

describe('the redirect to the shop', () => {
  const options = { returnUrl: 'https://shop.example/orders', returnAfterSeconds: 5 };

  it('happens some seconds after the payment succeeded on this page', async () => {
    const { world, viewState, navigate, open, respond } = setUp(options);
    await open();
    await respond({ outcome: 'paid' });
    expect(viewState.returnRedirect.returnInSeconds.value).toBe(5);
    await world.advance(4999);
    expect([viewState.returnRedirect.returnInSeconds.value, navigate.mock.calls]).toEqual([1, []]);
    await world.advance(1);
    expect(navigate.mock.calls).toEqual([['https://shop.example/orders']]);
  });

  it('does not happen after the shopper has stayed, also when options change or the checkout is opened again', async () => {
    const { world, model, viewState, showAgain, navigate, open, respond } = setUp(options);
    await open();
    await respond({ outcome: 'paid' });
    viewState.returnRedirect.cancelReturn();
    model.update({ ...options, merchantName: 'Kola' });
    viewState.stop();
    const again = showAgain();
    await world.advance(60_000);
    expect([again.returnRedirect.returnInSeconds.value, navigate.mock.calls]).toEqual([undefined, []]);
  });

  it.each<[string, Partial<CheckoutModelOptions>, Partial<PaymentView>]>([
    ['the option is left out', { returnUrl: options.returnUrl }, { outcome: 'paid' }],
    ['the page prevents it', { ...options, emit: () => false }, { outcome: 'paid' }],
    ['the money came late', options, { outcome: 'paid', receivedLate: true }],
  ])('does not happen when %s', async (_why, own, changes) => {
    const { world, navigate, open, respond } = setUp(own);
    await open();
    await respond(changes);
    await world.advance(60_000);
    expect(navigate).not.toHaveBeenCalled();
  });

  it('does not happen on a page where the payment was already paid', async () => {
    const { world, navigate, open } = setUp(options);
    await open({ outcome: 'paid' });
    await world.advance(60_000);
    expect(navigate).not.toHaveBeenCalled();
  });
});

it.each<[Partial<PaymentView>, 'at once' | 'after a question']>([
  [{}, 'after a question'],
  [{ chargedAmount: 5 }, 'after a question'],
  [{ outcome: 'expired' }, 'after a question'],
  [{ outcome: 'replaced' }, 'at once'],
  [{ outcome: 'unclear' }, 'at once'],
  [{ status: 'charged' }, 'at once'],
  [{ outcome: 'paid' }, 'at once'],
  [{ outcome: 'failed' }, 'at once'],
])('leaving the page happens at once or after a question: with %j %s', async (changes, when) => {
  const { model, open } = setUp();
  await open(changes);
  const leave = vi.fn();
  model.leaving.leave(leave);
  expect(leave).toHaveBeenCalledTimes(when === 'at once' ? 1 : 0);
  expect(model.leaving.pendingLeave.value).toBe(when === 'at once' ? undefined : leave);
});

describe('the language of a checkout', () => {
  /** The locale, and the word for “Copy” in it. */
  const languageOf = ({ translator }: ReturnType<typeof setUp>['model']) => [
    translator.value.locale,
    translator.value.text('copy'),
  ];

  it('is loaded before any text is shown', async () => {
    const { model } = setUp({ locale: 'fr' });
    expect(model.translator.value.text('loading')).toBe('');
    await settleImports();
    expect(languageOf(model)).toEqual(['fr', 'Copier']);
  });

  it('is English while it loads too long, and changes once loaded', async () => {
    let arrive = (_messages: { copy: string }): void => {};
    const languages = { pcm: () => new Promise<{ copy: string }>((resolve) => (arrive = resolve)) };
    const { world, model } = setUp({ locale: 'pcm', languages });
    await settleImports();
    await world.advance(4000);
    expect(languageOf(model)).toEqual(['en', 'Copy']);
    arrive({ copy: 'Copy am' });
    await settleImports();
    expect(languageOf(model)).toEqual(['pcm', 'Copy am']);
    expect(model.translator.value.text('copied')).toBe('Copied');
  });

  it('stays when another one cannot be loaded, and the error is reported', async () => {
    const lost = new Error('Lost.');
    const languages = { yo: () => Promise.reject(lost) };
    const { world, model } = setUp({ locale: 'fr yo', languages, preferredLanguages: ['fr'] });
    await settleImports();
    const shown = model.translator.value;
    model.selectLanguage?.('yo');
    await settleImports();
    expect(languageOf(model)).toEqual(['fr', 'Copier']);
    // The switch is rendered again, and shows this language.
    expect(model.translator.value).not.toBe(shown);
    expect(world.reports).toEqual([lost]);
  });

  it('is the one that the shopper selects, for the visit, while the merchant allows it', async () => {
    const browser = createFakeBrowser();
    const locale = 'en fr ha';
    const { model } = setUp({ locale, preferredLanguages: ['fr'] }, browser);
    await settleImports();
    model.selectLanguage?.('ha');
    expect(model.translator.value.isLoading).toBe(false);
    await settleImports();
    expect(model.translator.value.locale).toBe('ha');
    const reloaded = setUp({ locale, preferredLanguages: ['fr'] }, browser);
    await settleImports();
    expect(reloaded.model.translator.value.locale).toBe('ha');
    reloaded.model.update({ locale: 'en fr' });
    await settleImports();
    expect(reloaded.model.translator.value.locale).toBe('fr');
  });

  it('can be changed while the checkout is shown, and back', async () => {
    const { model } = setUp();
    model.update({ locale: 'fr' });
    // The current texts stay until the others are loaded.
    expect(model.translator.value.text('copy')).toBe('Copy');
    expect(model.translator.value.isLoading).toBe(false);
    await settleImports();
    expect(model.translator.value.text('copy')).toBe('Copier');
    model.update({ text: { copy: 'Take' } });
    expect(model.translator.value.text('copy')).toBe('Take');
    expect(model.translator.value.text('copied')).toBe('Copied');
  });
});
