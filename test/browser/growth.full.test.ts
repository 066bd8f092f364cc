import type { CDPSession } from 'playwright-core';
import { inject } from 'vitest';
import { headersOf, sessionOf } from '../core/views.ts';
import { it } from './browser-test.ts';
import { openShop } from './shop-page.ts';

const demoUrl = inject('demoUrl');

/** Returns the page's memory after a garbage collection. */
async function measure(client: CDPSession): Promise<{ listeners: number; nodes: number; heapBytes: number }> {
  for (let round = 0; round < 3; round += 1) await client.send('HeapProfiler.collectGarbage');
  const { metrics } = await client.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { listeners: of('JSEventListeners'), nodes: of('Nodes'), heapBytes: of('JSHeapUsedSize') };
}

it('a thousand mounts and unmounts leak nothing', async ({ expect, newShopper }) => {
  const context = await newShopper();
  // The shop's server limits sessions per minute.
  await context.route(/checkout\/sessions/, (route) =>
    route.fulfill({ json: sessionOf(), headers: headersOf('a') }),
  );
  const shop = await openShop(context, demoUrl, '/script-tag');
  const client = await context.newCDPSession(shop.page);
  await client.send('Performance.enable');

  const mountTimes = (count: number): Promise<number> =>
    shop.page.evaluate(async (times) => {
      const timers = new Set<number>();
      const { setTimeout: set, clearTimeout: clear } = window;
      window.setTimeout = ((act: () => void, ms: number) => {
        const timer = set(() => {
          timers.delete(timer);
          act();
        }, ms);
        timers.add(timer);
        return timer;
      }) as typeof setTimeout;
      window.clearTimeout = ((timer: number) => {
        timers.delete(timer);
        clear(timer);
      }) as typeof clearTimeout;
      for (let round = 0; round < times; round += 1) {
        const element = document.body.appendChild(document.createElement('div'));
        const mounted = await window.TransferCheckout.mountCheckout(element, { orderKey: `${round % 3}` });
        // Every other checkout is unmounted while it loads.
        const isShown = (): unknown => element.shadowRoot?.querySelector('[data-field="accountNumber"]');
        while (round % 2 === 0 && !isShown()) await new Promise((resolve) => set(resolve, 1));
        mounted.unmount();
        element.remove();
      }
      // Aborted requests end in the next task.
      await new Promise((resolve) => set(resolve, 100));
      window.setTimeout = set;
      window.clearTimeout = clear;
      return timers.size;
    }, count);

  await mountTimes(100);
  const before = await measure(client);
  expect(await mountTimes(1000)).toBe(0);
  const after = await measure(client);
  expect(after.listeners - before.listeners).toBeLessThanOrEqual(0);
  expect(after.nodes - before.nodes).toBeLessThan(100);
  // A leaked mount keeps about ten kilobytes.
  expect(after.heapBytes - before.heapBytes).toBeLessThan(500_000);
}, 240_000);
