import { signal } from '@preact/signals';
import { showDedicatedAccount } from '../../src/entry/show-dedicated-account.ts';
import type { Settings } from '../../src/widget/model/settings.ts';
import { createStaticModel } from '../../src/widget/model/static-model.ts';
import { showCheckout } from '../../src/widget/show-checkout.ts';
import type { AccountScreen, GalleryScreen, StateScreen } from './screens.ts';

/** The choices for any screen. */
export type Look = Pick<Settings, 'theme' | 'density' | 'locale' | 'variables' | 'text'>;

/** Renders a screen in an element, and resolves when all its clicks have taken effect. */
export async function showScreen(host: Element, screen: GalleryScreen, look: Look): Promise<() => void> {
  const { name, press = [], clipboard } = screen;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const remove = await ('view' in screen ? showAccount(host, screen, look) : showState(root, screen, look));
  for (const selector of press) {
    const target = root.querySelector<HTMLElement>(selector);
    if (!target) throw new Error(`There is no ${selector} to press in ${name}.`);
    const before = root.innerHTML;
    replaceClipboard(clipboard !== 'refuses');
    target.click();
    await until(() => root.innerHTML !== before && !root.querySelector('[aria-busy="true"]'));
  }
  return remove;
}

async function showState(
  root: ShadowRoot,
  { state, before, stoodMs, settings }: StateScreen,
  look: Look,
): Promise<() => void> {
  const text = { ...settings?.text, ...look.text };
  const still = await createStaticModel(state, { ...settings, ...look, text });
  const now = signal(state);
  const setTimer = (callback: () => void, ms: number) => {
    if (ms === stoodMs) queueMicrotask(callback);
    return () => {};
  };
  const canAutoReturn = signal(settings?.returnAfterSeconds !== undefined);
  const model = { ...still, state: now, canAutoReturn, clock: { ...still.clock, setTimer } };
  const { remove } = showCheckout(model, root, { onError: throwLater });
  await until(() => root.querySelector('.card') !== null);
  if (before) now.value = before;
  now.value = state;
  return remove;
}

function showAccount(
  host: Element,
  { view, settings: { merchantName, logo, text: ownText } = {} }: AccountScreen,
  { theme, density, locale, variables = {}, text: lookText }: Look,
): Promise<() => void> {
  const named = Object.entries(variables).map(([name, value]) => [name.replace('--checkout-', ''), value]);
  const appearance = { theme, density, variables: Object.fromEntries(named) };
  const text = { ...ownText, ...lookText };
  return showDedicatedAccount(host, view, { merchantName, logo, text, locale, appearance });
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
  // A timer, because a hidden window may have no animation frames.
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
