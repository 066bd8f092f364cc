import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import '../../src/element.ts';
import { createWidget } from '../../src/entry/create-widget.ts';
import { createEarlySessions } from '../../src/entry/early-session.ts';
import { createLoader, type Widget } from '../../src/entry/loader.ts';
import { mountCheckout, redirectToCheckout } from '../../src/index.ts';
import { TransferCheckout } from '../../src/react.tsx';
import { settleImports } from '../settle.ts';
import { place, stubServer } from './shop.ts';

/** Makes the page a prerendered one; the returned function is the shopper's visit. */
function prerender(): () => void {
  Object.defineProperty(Document.prototype, 'prerendering', { value: true, configurable: true });
  const visit = (): void => {
    Reflect.deleteProperty(Document.prototype, 'prerendering');
    document.dispatchEvent(new Event('prerenderingchange'));
  };
  onTestFinished(visit);
  return visit;
}

/** Every way to start a checkout without a press. Each returns how to end it. */
const starts: Record<string, () => () => unknown> = {
  mountCheckout() {
    const checkout = mountCheckout(place('div'));
    return checkout.unmount;
  },
  'the element'() {
    const element = place('transfer-checkout');
    return () => element.remove();
  },
  'the script tag'() {
    const { loader } = createLoader({
      importWidget: async () => ({ createWidget }) as unknown as Widget,
      sendEarly: createEarlySessions(),
    });
    const host = place('div');
    const checkout = loader.mountCheckout(host);
    return async () => (await checkout).unmount();
  },
  'a React component'() {
    const root = createRoot(place('div'));
    root.render(createElement(TransferCheckout));
    return () => root.unmount();
  },
  redirectToCheckout() {
    vi.spyOn(location, 'assign').mockImplementation(() => {});
    void redirectToCheckout().catch(() => {});
    return vi.restoreAllMocks;
  },
};

it.each(Object.keys(starts))(
  'opens a payment once the shopper visits a prerendered page: %s',
  async (name) => {
    const { posted } = stubServer();
    const visit = prerender();
    onTestFinished(starts[name]?.() as () => void);
    await settleImports();
    expect(posted().length).toBe(0);
    visit();
    await settleImports();
    expect(posted().length).toBe(1);
  },
);
