import type { BrowserContext, Request } from 'playwright-core';
import { describe, inject } from 'vitest';
import { it } from './browser-test.ts';
import { openShop, pay, type ShopPage } from './shop-page.ts';

const demoUrl = inject('demoUrl');

/** Records the requests of all tabs of a browser. Returns how many checks and session requests a tab has sent. */
function countRequests(context: BrowserContext) {
  const requests: Request[] = [];
  context.on('request', (request) => {
    if (request.url().includes('/checkout/sessions')) requests.push(request);
  });
  return (method: 'GET' | 'POST', { page }: ShopPage): number =>
    requests.filter((request) => request.method() === method && request.frame().page() === page).length;
}

async function openPaying(context: BrowserContext): Promise<ShopPage> {
  const shop = await openShop(context, demoUrl);
  await shop.pressPay();
  await shop.untilState('awaitingTransfer');
  // The next tab finds the payment by this entry, which is written after the account shows.
  await shop.page.waitForFunction(() => localStorage.getItem('transfer-checkout') !== null);
  return shop;
}

describe.concurrent('two tabs of one order', () => {
  it('show one payment, and each polls for itself', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const count = countRequests(context);
    const first = await openPaying(context);
    const second = await openPaying(context);
    expect(await second.text('reference')).toBe(await first.text('reference'));
    await expect.poll(() => Math.min(count('GET', first), count('GET', second))).toBeGreaterThan(0);
    await pay(first);
    await Promise.all([first.untilState('succeeded'), second.untilState('succeeded')]);
    expect([count('POST', first), count('POST', second)]).toEqual([1, 1]);
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });

  it('share that the money is sent, and that it is not', async ({ newShopper }) => {
    const context = await newShopper();
    const first = await openPaying(context);
    const second = await openPaying(context);
    await first.page.click('[data-action="sent"]');
    await second.untilState('checking');
    await second.page.click('[data-action="notSent"]');
    await first.untilState('awaitingTransfer');
  });
});

describe.concurrent('a tab', () => {
  it('resumes its payment after it was killed', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const first = await openPaying(context);
    const reference = await first.text('reference');
    const crashed = first.page.waitForEvent('crash');
    (await context.newCDPSession(first.page)).send('Page.crash').catch(() => {});
    await crashed;
    const second = await openPaying(context);
    expect(await second.text('reference')).toBe(reference);
  });

  it('drops its request when it is frozen, and checks at once when it resumes', async ({
    expect,
    newShopper,
  }) => {
    const context = await newShopper();
    // The server never responds.
    await context.route('**/checkout/sessions/*', () => {});
    const shop = await openShop(context, demoUrl);
    const held = shop.page.waitForRequest(/checkout\/sessions\//);
    await shop.pressPay();
    expect((await held).headers()).toHaveProperty('prefer');
    // Visible pages are never frozen here, so the test dispatches the event: on the document, without bubbling.
    const happen = (type: string): Promise<boolean> =>
      shop.page.evaluate((name) => document.dispatchEvent(new Event(name)), type);
    const dropped = shop.page.waitForEvent('requestfailed');
    await happen('freeze');
    expect(await dropped).toBe(await held);
    const request = shop.page.waitForRequest(/checkout\/sessions\//);
    await happen('resume');
    expect((await request).headers()).not.toHaveProperty('prefer');
  });
});
