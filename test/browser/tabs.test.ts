import type { BrowserContext, Request } from 'playwright-core';
import { describe, inject } from 'vitest';
import { it } from './browser-test.ts';
import { openShop, pay, type ShopPage } from './shop-page.ts';

const demoUrl = inject('demoUrl');

/** Records the checks and session requests of all tabs of a browser. */
function countRequests(context: BrowserContext) {
  const requests: Request[] = [];
  context.on('request', (request) => {
    if (request.url().includes('/checkout/sessions')) requests.push(request);
  });
  const of = (method: string, shop?: ShopPage): number =>
    requests.filter(
      (request) => request.method() === method && (!shop || request.frame().page() === shop.page),
    ).length;
  return { gets: (shop?: ShopPage) => of('GET', shop), posts: (shop?: ShopPage) => of('POST', shop) };
}

async function openPaying(context: BrowserContext): Promise<ShopPage> {
  const shop = await openShop(context, demoUrl);
  await shop.pressPay();
  await shop.untilState('awaitingTransfer');
  // The next tab finds the payment by this entry, which is written after the account shows.
  await shop.page.waitForFunction(() => localStorage.getItem('transfer-checkout') !== null);
  return shop;
}

describe.concurrent('two tabs', () => {
  it('of one order show one payment, and only one of them polls', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const { gets } = countRequests(context);
    const first = await openPaying(context);
    const second = await openPaying(context);
    expect(await second.text('reference')).toBe(await first.text('reference'));
    // One check resumes the stored payment.
    await expect.poll(() => gets(second)).toBe(1);
    await pay(first);
    await Promise.all([first.untilState('succeeded'), second.untilState('succeeded')]);
    await expect.poll(() => gets(second)).toBe(1);
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

  it('continue when the polling one is killed', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const { gets } = countRequests(context);
    const first = await openPaying(context);
    const second = await openPaying(context);
    await expect.poll(() => gets(second)).toBe(1);
    const client = await context.newCDPSession(first.page);
    const crashed = first.page.waitForEvent('crash');
    client.send('Page.crash').catch(() => {});
    await crashed;
    await expect.poll(() => gets(second)).toBeGreaterThan(1);
    await pay(second);
    await second.untilState('succeeded');
  });
});

describe.concurrent('a tab', () => {
  it('that was killed resumes its payment', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const first = await openPaying(context);
    const reference = await first.text('reference');
    const crashed = first.page.waitForEvent('crash');
    (await context.newCDPSession(first.page)).send('Page.crash').catch(() => {});
    await crashed;
    const second = await openPaying(context);
    expect(await second.text('reference')).toBe(reference);
  });

  it('that is frozen drops its request, and checks at once when it resumes', async ({
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

  it('that was offline keeps the account, and checks at once when the network is back', async ({
    expect,
    newShopper,
  }) => {
    const context = await newShopper();
    const shop = await openPaying(context);
    const accountNumber = await shop.text('accountNumber');
    await context.setOffline(true);
    await pay(shop);
    expect(await shop.text('accountNumber')).toBe(accountNumber);
    const request = shop.page.waitForRequest(/checkout\/sessions\//);
    await context.setOffline(false);
    await request;
    await shop.untilState('succeeded');
  });

  it('that starts offline shows the account when the network is back', async ({ newShopper }) => {
    const context = await newShopper();
    const shop = await openShop(context, demoUrl);
    await shop.page.locator('#order-id', { hasText: 'order-' }).waitFor();
    await context.setOffline(true);
    await shop.pressPay();
    await shop.untilState('loading');
    await context.setOffline(false);
    await shop.untilState('awaitingTransfer');
  });
});

describe.concurrent('a reload after paying', () => {
  const mount = (shop: ShopPage): Promise<unknown> =>
    shop.page.evaluate(() => {
      const element = document.querySelector('#checkout') as Element;
      window.TransferCheckout.mountCheckout(element, { orderKey: 'order 1', merchantName: 'Kola' });
    });

  it('never asks for money again, even with another cart', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const { posts } = countRequests(context);
    const shop = await openShop(context, demoUrl, '/script-tag');
    await mount(shop);
    await shop.untilState('awaitingTransfer');
    const reference = await shop.text('reference');
    await pay(shop);
    await shop.untilState('succeeded');
    await context.clearCookies();
    await shop.page.reload();
    await mount(shop);
    await shop.untilState('succeeded');
    expect(await shop.text('reference')).toBe(reference);
    expect(posts()).toBe(1);
  });

  it('shows the payment when the server refuses to create another', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const shop = await openPaying(context);
    const reference = await shop.text('reference');
    await pay(shop);
    await shop.untilState('succeeded');
    await context.route('**/checkout/sessions', (route) =>
      route.fulfill({ status: 403, json: { code: 'forbidden', detail: 'The cart is empty.' } }),
    );
    await shop.page.reload();
    await shop.untilState('succeeded');
    expect(await shop.text('reference')).toBe(reference);
  });

  it('stores only the reference and its secret', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const shop = await openPaying(context);
    const reference = await shop.text('reference');
    const stored = (): Promise<string> => shop.page.evaluate(() => JSON.stringify({ ...localStorage }));
    await expect.poll(stored).toContain(reference);
    const items = JSON.parse(await stored());
    expect(Object.keys(items)).toEqual(['transfer-checkout']);
    expect(Object.values(JSON.parse(items['transfer-checkout']))).toEqual([
      { reference, clientSecret: expect.stringMatching(/^cs_test_/) },
    ]);
  });
});
