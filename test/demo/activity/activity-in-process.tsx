import { signal } from '@preact/signals';
import { render } from 'preact';
import { expect, onTestFinished } from 'vitest';
import { createActivityModel } from '../../../demo/activity/activity-model.ts';
import { ActivityPanel } from '../../../demo/activity/activity-panel.tsx';
import type { ShopEvent } from '../../../demo/merchant/shop-records.ts';
import { createSandboxCalls } from '../../../server-kit/tools/sandbox/pages/client/sandbox-calls.ts';
import { goodBody, newSandbox, origin, startMs } from '../../server-kit/tools/sandbox/sandbox-kit.ts';

export const reference = goodBody.reference;

/** What the shop's handler was called with, `seconds` after the start of the clocks. */
export const shopEvent = (seconds: number, event: Partial<ShopEvent> = {}): ShopEvent => ({
  key: `key-${seconds}`,
  at: new Date(startMs + seconds * 1000).toISOString(),
  outcome: 'paid',
  orderId: 'order-1',
  amount: { value: 1_250_000, currency: 'NGN' },
  reference,
  received: { value: 1_250_000, currency: 'NGN' },
  ...event,
});

/** The developer panel over a sandbox in this process, whose clock only the test moves. */
export async function openActivity({ stored = '' } = {}) {
  const sandbox = newSandbox();
  const root = document.body.appendChild(document.createElement('div'));
  const events: ShopEvent[] = [];
  const items = new Map([['shop-activity', stored]]);
  const listeners: (() => void)[] = [];
  const page = {
    hidden: false,
    addEventListener: (_type: string, run: () => void) => void listeners.push(run),
  };
  let reads = 0;
  let isDown = false;
  const onPage = signal<{ reference: string } | undefined>({ reference });
  const model = createActivityModel({
    async readEvents() {
      reads += 1;
      if (isDown) throw new TypeError('Failed to fetch');
      return events;
    },
    calls: createSandboxCalls({ serviceUrl: origin, fetch: sandbox.fetch }),
    onPage,
    isOpen: false,
    storage: {
      getItem: (name) => items.get(name) ?? null,
      setItem: (name, value) => void items.set(name, value),
    },
    page: page as unknown as Document,
  });
  const setHidden = (hidden: boolean): void => {
    page.hidden = hidden;
    for (const run of listeners) run();
  };
  render(<ActivityPanel model={model} />, root);
  onTestFinished(() => {
    setHidden(true);
    render(null, root);
    root.remove();
  });

  const all = (selector: string): string[] =>
    [...root.querySelectorAll(selector)].map(({ textContent }) => textContent?.replace(/\s+/g, ' ') ?? '');
  return {
    sandbox,
    events,
    stored: () => items.get('shop-activity'),
    reads: () => reads,
    setHidden,
    setDown(down: boolean) {
      isDown = down;
    },
    /** Refreshes now, instead of within a second. */
    refresh: () => setHidden(false),
    toggle: () => (root.querySelector('[data-action="activity-toggle"]') as HTMLElement).click(),
    text: () => root.textContent ?? '',
    untilNames: (names: string[]): Promise<void> => expect.poll(() => all('.activity-name')).toEqual(names),
    all,
  };
}
