import { signal } from '@preact/signals';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSandboxCalls } from '../../../../../../../server-kit/tools/sandbox/pages/client/sandbox-calls.ts';
import { createPanelModel } from '../../../../../../../server-kit/tools/sandbox/pages/panel/model/panel-model.ts';
import type { Route } from '../../../../../../../server-kit/tools/sandbox/pages/panel/model/route.ts';
import { initiate, newSandbox, origin } from '../../../sandbox-kit.ts';

/** Opens a visible panel on a real sandbox whose responses can be cut off. */
function openPanel() {
  vi.useFakeTimers();
  const sandbox = newSandbox();
  const asked: string[] = [];
  let isCut = false;
  const calls = createSandboxCalls({
    serviceUrl: origin,
    fetch: async (url, init) => {
      asked.push(url.replace(`${origin}/_sandbox`, ''));
      if (isCut) throw new TypeError('fetch failed');
      return sandbox.fetch(url, init);
    },
  });
  const route = signal<Route>({ section: 'payments', id: undefined });
  const page = { hidden: false, addEventListener: () => {} };
  const model = createPanelModel({ calls, route, page });
  model.start();
  return {
    sandbox,
    model,
    route,
    asked,
    cut: (is: boolean) => {
      isCut = is;
    },
    /** Advances the time by this many seconds. */
    pass: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000),
    untilLive: () => expect.poll(() => model.connection.value).toBe('live'),
  };
}

afterEach(() => vi.useRealTimers());

describe('the panel', () => {
  it('loads everything first, and shows new payments', async () => {
    const { sandbox, model, pass, untilLive } = openPanel();
    await untilLive();
    expect(model.data.payments.latest.value).toEqual([]);
    expect(model.data.apps.latest.value).toEqual([]);
    await initiate(sandbox);
    await pass(1.1);
    await expect.poll(() => model.data.payments.latest.value).toHaveLength(1);
  });

  it('refreshes the open section each second, and the others in turn', async () => {
    const { asked, pass, route, untilLive } = openPanel();
    await untilLive();
    route.value = { section: 'invoices', id: undefined };
    await pass(1.1);
    asked.length = 0;
    for (let second = 0; second < 12; second++) await pass(1);
    const timesOf = (path: string): number => asked.filter((one) => one === path).length;
    expect(timesOf('/invoices')).toBeGreaterThanOrEqual(10);
    expect(timesOf('/clock')).toBeGreaterThanOrEqual(10);
    expect(timesOf('/apps')).toBe(1);
  });

  it('refreshes payments along with checkout links', async () => {
    const { asked, pass, route, untilLive } = openPanel();
    await untilLive();
    route.value = { section: 'checkout-links', id: undefined };
    await pass(1.1);
    asked.length = 0;
    for (let second = 0; second < 5; second++) await pass(1);
    for (const path of ['/checkout_links', '/payments'])
      expect(asked.filter((one) => one === path).length).toBeGreaterThanOrEqual(5);
  });

  it('reports the outcome of an action, and refreshes everything', async () => {
    const { sandbox, model, asked, untilLive } = openPanel();
    await untilLive();
    const { accountNumber } = await initiate(sandbox);
    asked.length = 0;
    const result = await model.act(
      () => model.calls.transfer({ accountNumber, amount: 1_250_000 }),
      ({ payment }) => `Sent: ${payment?.status}.`,
    );
    expect(result).toEqual({ isDone: true, params: [] });
    expect(model.outcome.value).toEqual({ text: 'Sent: succeeded.', tone: 'done' });
    expect(asked).toEqual(expect.arrayContaining(['/payments', '/callbacks', '/tax_rates']));
  });

  it('reports what the sandbox refused, and the fields at fault', async () => {
    const { model, untilLive } = openPanel();
    await untilLive();
    const result = await model.act(() => model.calls.transfer({ accountNumber: '1', amount: -1 }), 'Sent.');
    expect(result).toEqual({ isDone: false, params: ['amount'] });
    expect(model.outcome.value?.tone).toBe('problem');
    expect(model.outcome.value?.text).toMatch(/^Refused by the sandbox: .*amount/);
  });

  it('reports a lost connection, keeps its data, and recovers', async () => {
    const { sandbox, model, cut, pass, untilLive } = openPanel();
    await untilLive();
    cut(true);
    await pass(1.1);
    expect(model.connection.value).toBe('lost');
    expect(model.data.payments.latest.value).toEqual([]);
    const result = await model.act(model.calls.removeFaults, 'Removed.');
    expect(result.isDone).toBe(false);
    expect(model.outcome.value?.text).toMatch(/^No response from the sandbox/);
    await initiate(sandbox);
    cut(false);
    await pass(3.1);
    await untilLive();
    await expect.poll(() => model.data.payments.latest.value).toHaveLength(1);
  });

  it('keeps the filter of each section', () => {
    const { model } = openPanel();
    model.filterOf('payments').value = 'ord';
    expect(model.filterOf('payouts').value).toBe('');
    expect(model.filterOf('payments').value).toBe('ord');
  });
});
