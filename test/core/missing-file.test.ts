import { beforeEach, describe, expect, it, vi } from 'vitest';
import { settleImports } from '../settle.ts';
import { createFakeBrowser } from './fake-browser.ts';

let failures = 0;
let openTab: typeof import('./session-work-kit.ts').openTab;

beforeEach(async () => {
  // What came once is remembered: every test begins with modules of its own.
  vi.resetModules();
  vi.doMock('../../src/core/watch.ts', (importReal) => {
    if (failures === 0) return importReal();
    failures -= 1;
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  ({ openTab } = await import('./session-work-kit.ts'));
});

describe('a file of the checkout that does not come', () => {
  it('is asked for again, which is said, and then the payment is watched', async () => {
    failures = 2;
    const tab = await openTab();
    await tab.give();
    await expect.poll(tab.types).toEqual(['sessionReceived', 'stillTrying']);
    await tab.world.advance(1000);
    await expect.poll(tab.types).toEqual(['sessionReceived', 'stillTrying', 'stillTrying']);
    await tab.world.advance(2000);
    await expect.poll(tab.asked).toEqual(['POST ', 'GET /order-1001-1']);
  });

  it('is told to the developer, once, and still asked for', async () => {
    failures = 5;
    const tab = await openTab();
    await tab.give();
    while (tab.asked().length < 2) {
      await settleImports();
      await tab.world.advance(15_000);
    }
    const told = tab.events.filter((event) => event.type === 'lookFailed');
    expect(told.filter(({ error }) => error.code === 'load_failed')).toHaveLength(1);
    expect(tab.asked()).toContain('GET /order-1001-1');
  });

  it('is asked for again at once when the network is back', async () => {
    failures = 1;
    const tab = await openTab();
    await tab.give();
    await expect.poll(tab.types).toEqual(['sessionReceived', 'stillTrying']);
    await tab.world.goOnline();
    await expect.poll(tab.asked).toEqual(['POST ', 'GET /order-1001-1']);
  });

  it('is no reason to keep a shopper waiting for an account number', async () => {
    failures = 1;
    const browser = createFakeBrowser();
    browser.writeStored('{}');
    const tab = await openTab({ browser });
    await expect.poll(tab.asked).toEqual(['POST ']);
  });

  it('is not asked for any more when the checkout is taken away', async () => {
    failures = 9;
    const tab = await openTab();
    await tab.give();
    await expect.poll(tab.types).toEqual(['sessionReceived', 'stillTrying']);
    await tab.close();
    await tab.world.advance(60_000);
    await settleImports();
    expect([tab.world.timers(), tab.types()]).toEqual([0, ['sessionReceived', 'stillTrying']]);
  });
});
