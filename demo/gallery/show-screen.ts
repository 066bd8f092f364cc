import { signal } from '@preact/signals';
import { options } from 'preact';
import type { Settings } from '../../src/options/options.ts';
import { createStaticModel } from '../../src/widget/model/checkout-model.ts';
import { showCheckout } from '../../src/widget/mount-point.ts';
import type { GalleryScreen } from './screens.ts';

/** The choices for any screen. */
export type Look = Pick<Settings, 'theme' | 'density' | 'locale' | 'variables' | 'text'>;

// Effects after the paint run at once, so that a screen is complete when it is shown.
options.requestAnimationFrame = (run) => setTimeout(run);

/** Renders a screen in an element, and resolves when all its clicks have taken effect. */
export async function showScreen(host: Element, screen: GalleryScreen, look: Look): Promise<() => void> {
  const { name, state, before, stoodMs, settings, press = [], clipboard } = screen;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const text = { ...settings?.text, ...look.text };
  const still = await createStaticModel(state, { ...settings, ...look, text });
  const now = signal(state);
  const setTimer = (callback: () => void, ms: number) => {
    if (ms === stoodMs) queueMicrotask(callback);
    return () => {};
  };
  const canAutoReturn = signal(settings?.returnAfterSeconds !== undefined);
  const model = { ...still, state: now, canAutoReturn, clock: { ...still.clock, setTimer } };
  const remove = showCheckout(model, root, { onError: throwLater });
  await until(() => root.querySelector('.card') !== null);
  await nextTask();
  for (const next of [before ?? state, state]) {
    now.value = next;
    await nextTask();
  }
  for (const selector of press) {
    const target = root.querySelector<HTMLElement>(selector);
    if (!target) throw new Error(`There is no ${selector} to press in ${name}.`);
    const html = root.innerHTML;
    replaceClipboard(clipboard !== 'refuses');
    target.click();
    await until(() => root.innerHTML !== html && !root.querySelector('[aria-busy="true"]'));
  }
  return remove;
}

/** Reports an error as uncaught: one thrown at once would be caught by the checkout's own boundary. */
const throwLater = (error: unknown): void =>
  queueMicrotask(() => {
    throw error;
  });

/** Replaces the clipboard, so that the browser's own stays untouched. */
function replaceClipboard(works: boolean): void {
  const writeText = (): Promise<void> => (works ? Promise.resolve() : Promise.reject(new Error('refused')));
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  Object.defineProperty(document, 'execCommand', { configurable: true, value: () => false });
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTask(5);
}

/** A timer, because a hidden window may have no animation frames. */
const nextTask = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
