import { signal } from '@preact/signals';
import { within } from '@testing-library/preact';
import { onTestFinished, vi } from 'vitest';
import type { Emit } from '../../src/core/events.ts';
import type { State } from '../../src/core/state.ts';
import { createLocalization } from '../../src/i18n/translator.ts';
import type { Settings } from '../../src/options/options.ts';
import { createLeaving, type ShownModel } from '../../src/widget/model/checkout-model.ts';
import { showCheckout } from '../../src/widget/mount-point.ts';
import { viewOf } from '../core/views.ts';
import { settleImports } from '../settle.ts';

export { shown } from './model/states.ts';

/** Fails the run: an error thrown at once would be caught by the checkout's own boundary. */
const throwLater = (error: unknown): void =>
  queueMicrotask(() => {
    throw error;
  });

const expiresAtMs = Date.parse(viewOf().expiresAt);

/** Shows the checkout on a new page, in a given state. */
export async function show(first: State, options: Settings = {}) {
  // This DOM cannot track the focus while an element in another shadow root has it.
  (document.activeElement?.shadowRoot?.activeElement as HTMLElement | undefined)?.blur();
  const host = document.body.appendChild(document.createElement('div'));
  const root = host.attachShadow({ mode: 'open' });
  /** A quarter of an hour before the account of `viewOf` expires. */
  const state = signal<State>({ serviceOffsetMs: expiresAtMs - 900_000, ...first });
  const canAutoReturn = signal(false);
  const settings = signal<Settings>({ merchantName: 'Kola’s Bookshop', theme: 'auto', ...options });
  const actions = { restart: vi.fn(), refresh: vi.fn(), claimTransfer: vi.fn(), withdrawClaim: vi.fn() };
  const emit = vi.fn<(name: string, detail: object) => boolean>(() => true);
  const timers = new Set<{ readonly callback: () => void; readonly at: number }>();
  let now = 0;
  let dateAheadMs = 0;
  const localization = createLocalization(options);
  const model: ShownModel = {
    translator: localization.translator,
    state,
    settings,
    canAutoReturn,
    clock: {
      now: () => now,
      date: () => now + (state.peek().serviceOffsetMs ?? 0) + dateAheadMs,
      setTimer(callback, ms) {
        const timer = { callback, at: now + ms };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    leaving: createLeaving(state),
    emit: emit as unknown as Emit,
    ...actions,
    selectLanguage() {},
  };
  const remove = showCheckout(model, root, { onError: throwLater });
  const firstRender = root.textContent;
  onTestFinished(() => {
    remove();
    host.remove();
  });
  await settleImports();
  const screen = within(root as unknown as HTMLElement);
  const setState = (next: State): Promise<void> => {
    state.value = next;
    return settleImports();
  };
  return {
    root,
    /** The text of the first render, before the effects that follow a paint. */
    firstRender,
    screen,
    host,
    state,
    canAutoReturn,
    ...model.leaving,
    setState,
    /** Sets the time left by the service's clock. */
    setTimeLeft: (ms: number | undefined) => {
      const serviceOffsetMs = ms === undefined ? undefined : expiresAtMs - ms - now;
      return setState({ ...state.peek(), serviceOffsetMs });
    },
    /** Sets how far the phone's clock is ahead of the service's. */
    setDateAhead: (ms: number) => {
      dateAheadMs = ms;
      return setState({ ...state.peek() });
    },
    settings,
    localization,
    ...actions,
    emit,
    timers,
    /** Moves the clock and runs each timer that is due. */
    advance: async (ms: number) => {
      now += ms;
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        timers.delete(timer);
        timer.callback();
      }
      await settleImports();
    },
    settle: settleImports,
    remove,
    dataState: () => root.querySelector('[data-state]')?.getAttribute('data-state'),
    field: (name: string) => root.querySelector(`[data-field="${name}"]`)?.textContent?.replace(/\s/g, ' '),
    /** The lines in the live region. */
    announced: () =>
      [...root.querySelectorAll('.card > [role="status"] > p')].map((line) => `${line.textContent}`),
    /** The first of them: of the state, if that has one. */
    spoken: () => root.querySelector('.card > [role="status"] > p')?.textContent?.replace(/\s/g, ' '),
    /** The visible text. */
    seen: () => {
      const card = root.querySelector('.card')?.cloneNode(true) as HTMLElement;
      for (const one of card.querySelectorAll('.spoken')) one.remove();
      return card.textContent?.replace(/\s/g, ' ');
    },
    /** Presses the button or the link of this name. */
    press: async (name: RegExp | string) => {
      (screen.queryByRole('button', { name }) ?? screen.getByRole('link', { name })).click();
      await settleImports();
    },
  };
}
