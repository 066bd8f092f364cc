import { signal } from '@preact/signals';
import { within } from '@testing-library/preact';
import { onTestFinished, vi } from 'vitest';
import type { State } from '../../src/core/index.ts';
import type { Messages } from '../../src/locales/messages.ts';
import type { CheckoutModel } from '../../src/model/index.ts';
import { createText } from '../../src/model/text.ts';
import { showCheckout } from '../../src/views/show-checkout.ts';
import { viewOf } from '../core/views.ts';
import { settleImports } from '../settle.ts';

/** A state that shows a payment. */
export function shown(
  name: Extract<State, { connection: unknown }>['name'],
  changes: Parameters<typeof viewOf>[0] = {},
  connection: 'ok' | 'retrying' | 'lost' = 'ok',
): State {
  return { name, payment: viewOf(changes), connection };
}

/** The checkout on a page of its own, in a state of the test's choice. */
export async function show(first: State, options: { text?: Partial<Messages>; returnUrl?: string } = {}) {
  const host = document.body.appendChild(document.createElement('div'));
  const root = host.attachShadow({ mode: 'open' });
  const state = signal(first);
  const remainingMs = signal<number | undefined>(900_000);
  const restart = vi.fn();
  const refresh = vi.fn();
  const model: CheckoutModel = {
    ...createText(options.text),
    state,
    remainingMs,
    merchantName: 'Kola’s Bookshop',
    returnUrl: options.returnUrl,
    theme: 'auto',
    restart,
    refresh,
    stop: () => {},
  };
  const takeAway = showCheckout(model, root);
  onTestFinished(() => {
    takeAway();
    host.remove();
  });
  await settleImports();
  const screen = within(root as unknown as HTMLElement);
  return {
    root,
    screen,
    state,
    remainingMs,
    restart,
    refresh,
    settle: settleImports,
    takeAway,
    dataState: () => root.querySelector('[data-state]')?.getAttribute('data-state'),
    field: (name: string) => root.querySelector(`[data-field="${name}"]`)?.textContent?.replace(/\s/g, ' '),
    /** What the screen reader is told of the state. */
    spoken: () =>
      [...root.querySelectorAll('.card > [role="status"]')].at(-1)?.textContent?.replace(/\s/g, ' '),
    /** What can be seen. */
    seen: () => {
      const card = root.querySelector('.card')?.cloneNode(true) as HTMLElement;
      for (const one of card.querySelectorAll('.spoken')) one.remove();
      return card.textContent?.replace(/\s/g, ' ');
    },
    click: async (name: RegExp) => {
      screen.getByRole('button', { name }).click();
      await settleImports();
    },
  };
}
