import { describe, inject } from 'vitest';
import { it } from './browser-test.ts';
import { control, digitsOf, openShop, pay } from './shop-page.ts';

const demoUrl = inject('demoUrl');

// Tests mostly wait for the widget's next check, so they run concurrently.
describe.concurrent('a shopper', () => {
  it('pays by bank transfer and sees it succeed', async ({ expect, newShopper }) => {
    const context = await newShopper();
    const shop = await openShop(context, demoUrl);
    await shop.pressPay();
    await shop.untilState('awaitingTransfer');
    expect(digitsOf(await shop.text('accountNumber'))).toMatch(/^\d{10}$/);
    expect(await shop.text('amount')).toBe('₦12,500.00');
    expect(await shop.text('bankName')).toBe('Sandbox Bank');
    expect(await shop.text('countdown')).toMatch(/^(30:00|29:\d\d)$/);
    await shop.page.getByText('Test mode').waitFor();

    const panel = await context.newPage();
    await panel.goto(`${demoUrl}/panel`);
    const reference = await shop.text('reference');
    await panel.locator(`[data-id="${reference}"] [data-action="send-exact"]`).click();

    await shop.untilState('succeeded');
    await shop.page.getByText('Payment received').first().waitFor();
    await panel
      .locator(`[data-id="${reference}"] [data-field="status"]`, { hasText: /succeeded/i })
      .waitFor();
    expect(shop.complaints).toEqual([]);
  });

  it('does the same on a page with only the script tag', async ({ expect, newShopper }) => {
    const shop = await openShop(await newShopper(), demoUrl, '/script-tag');
    await shop.pressPay();
    await shop.untilState('awaitingTransfer');
    await pay(shop);
    await shop.untilState('succeeded');
    expect(shop.complaints).toEqual([]);
    const globals = await shop.page.evaluate(() =>
      Object.keys(window).filter((name) => /checkout|preact|valibot/i.test(name)),
    );
    expect(globals).toEqual(['TransferCheckout']);
  });

  it('sees the same account and countdown after a reload, without a press', async ({
    expect,
    newShopper,
  }) => {
    const shop = await openShop(await newShopper(), demoUrl);
    await shop.pressPay();
    await shop.untilState('awaitingTransfer');
    const before = [await shop.text('accountNumber'), await shop.text('reference')];
    await expect.poll(() => shop.text('countdown')).toContain(':');
    const leftBefore = await shop.text('countdown');
    await shop.page.reload();
    await shop.untilState('awaitingTransfer');
    await expect.poll(() => shop.text('countdown')).toContain(':');
    expect([await shop.text('accountNumber'), await shop.text('reference')]).toEqual(before);
    expect((await shop.text('countdown')) <= leftBefore).toBe(true);
    expect(await shop.page.locator('#checkout').evaluate((one) => getComputedStyle(one).outlineStyle)).toBe(
      'none',
    );
    await pay(shop);
    await shop.untilState('succeeded');
    await shop.page.reload();
    await shop.untilState('succeeded');
    expect(await shop.text('reference')).toBe(before[1]);
  });

  it('never receives the client secret outside request headers', async ({ expect, newShopper }) => {
    const shop = await openShop(await newShopper(), demoUrl);
    const secrets = new Set<string>();
    shop.page.on('request', (request) => {
      const secret = request.headers()['checkout-secret'];
      if (secret !== undefined) secrets.add(secret);
    });
    await shop.pressPay();
    await shop.untilState('awaitingTransfer');
    await expect.poll(() => secrets.size).toBe(1);
    const [secret = ''] = secrets;
    const markup = await shop.page.evaluate(() => {
      const roots = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
      return document.documentElement.outerHTML + roots.map(({ innerHTML }) => innerHTML).join();
    });
    expect(secret).toMatch(/^cs_test_/);
    expect(markup).not.toContain(secret);
    expect(shop.requested.join()).not.toContain(secret);
    expect(await shop.page.evaluate(() => location.href + document.cookie)).not.toContain(secret);
  });
});

describe.concurrent('a service that is down', () => {
  it('keeps the widget trying at the start, which then shows the account', async ({
    expect,
    newShopper,
    startOwnDemo,
    wire,
  }) => {
    const url = await startOwnDemo({
      PAYMENTS_BASE_URL: `${wire.url}/service`,
      PAYMENTS_API_KEY: 'pk_test_sandbox',
      PAYMENTS_API_SECRET: 'sk_test_sandbox',
    });
    wire.cut();
    const shop = await openShop(await newShopper(), url);
    await shop.pressPay();
    await shop.page.locator('[data-state="loading"], [data-state="unavailable"]').first().waitFor();
    await expect.poll(() => wire.refused()).toBeGreaterThan(0);
    wire.mend();
    const retry = shop.page.getByRole('button', { name: /try again/i });
    await shop.page.locator('[data-state="awaitingTransfer"], [data-state="unavailable"]').first().waitFor();
    if (await retry.isVisible()) await retry.click();
    await shop.untilState('awaitingTransfer');
  });

  it('leaves the account on the screen later, and the payment shows when the service is back', async ({
    expect,
    newShopper,
    startOwnDemo,
    wire,
  }) => {
    const url = await startOwnDemo({
      PAYMENTS_BASE_URL: `${wire.url}/service`,
      PAYMENTS_API_KEY: 'pk_test_sandbox',
      PAYMENTS_API_SECRET: 'sk_test_sandbox',
    });
    const shop = await openShop(await newShopper(), url);
    await shop.pressPay();
    await shop.untilState('awaitingTransfer');
    const accountNumber = digitsOf(await shop.text('accountNumber'));
    wire.cut();
    const refused = wire.refused();
    await expect.poll(() => wire.refused()).toBeGreaterThan(refused + 1);
    await control(demoUrl, 'transfers', { accountNumber, amount: 1_250_000 });
    expect(digitsOf(await shop.text('accountNumber'))).toBe(accountNumber);
    wire.mend();
    await shop.untilState('succeeded');
  });
});
