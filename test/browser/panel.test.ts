import { afterAll, beforeAll, describe, expect } from 'vitest';
import { serve } from '../server-kit/kit/serve.ts';
import { builtServer, type DemoProcess, startDemo } from '../setup/demo-process.ts';
import { it } from './browser-test.ts';
import { openPanel, untilStatus } from './panel-page.ts';
import { createLink, initiate } from './panel-records.ts';
import { control } from './shop-page.ts';

const wide = { viewport: { width: 1280, height: 800 } };

/** A separate demo, because these journeys break it. The forms and buttons are tested in process, with the sandbox. */
let demo: DemoProcess;
beforeAll(async () => {
  demo = await startDemo(builtServer);
});
afterAll(() => demo.stop());

describe('a tour of the panel', () => {
  it('sends money, shows a link’s payment once its page is open, follows an address, and loses the network', async ({
    newShopper,
  }) => {
    const context = await newShopper({ ...wide, permissions: ['clipboard-read', 'clipboard-write'] });
    const panel = await openPanel(context, demo.url);
    const { page } = panel;
    await initiate(demo.url, 'pay-1');
    const payment = page.locator('.record[data-id="pay-1"]');
    await panel.press('send-exact', payment);
    await panel.untilOutcome('₦12,500.00 arrived');
    await untilStatus(payment, 'succeeded');

    const { authorizationUrl, reference } = await createLink(demo.url, 'link-1');
    const shopper = await context.newPage();
    await shopper.goto(authorizationUrl);
    await shopper.locator('[data-field="accountNumber"]').waitFor();
    await page.locator('[data-field="filter"]').fill('link-1 12,500');
    await page.getByText('1 of 2').waitFor();
    await panel.openRecord('payments', reference);

    await context.setOffline(true);
    await page.locator('[data-connection="lost"]').waitFor();
    await context.setOffline(false);
    await page.locator('[data-connection="live"]').waitFor();

    await page.getByRole('button', { name: 'Copy the reference' }).click();
    await panel.untilOutcome('Copied the reference');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(reference);
    await panel.openSection('Requests');
    expect(page.url()).toMatch(/#\/requests$/);
    await page.reload();
    await page.getByText('/v1/payments').first().waitFor();
    expect(await page.getByRole('link', { name: 'Open the shop' }).getAttribute('href')).toBe('../../../');
    expect(panel.complaints).toEqual([]);
    // The sandbox's own panel has no shop.
    await page.goto(`${demo.url}/service/_sandbox/panel/`);
    await page.locator('[data-connection="live"]').waitFor();
    expect(await page.getByRole('link', { name: 'Open the shop' }).count()).toBe(0);
  });

  it('inspects callbacks with their attempts and signatures, resends them, and stops and repairs the delivery', async ({
    newShopper,
  }) => {
    const received: string[] = [];
    const shop = await serve((request, response) => {
      received.push(String(request.headers['request-signature']));
      request.resume();
      response.writeHead(received.length === 1 ? 500 : 204).end();
    });
    const callbackUrl = `${shop.url}/callbacks`;
    const panel = await openPanel(await newShopper(wide), demo.url);
    const { accountNumber } = await initiate(demo.url, 'told-1', callbackUrl);
    await control(demo.url, 'transfers', { accountNumber, amount: 1_250_000 });
    await expect.poll(() => received.length).toBeGreaterThan(0);
    const payment = await panel.openRecord('payments', 'told-1');
    await payment
      .getByRole('link', { name: /^payment\./ })
      .last()
      .click();
    const callback = panel.page.locator('.record[data-open="true"]');
    await callback.getByText('500').first().waitFor();
    const before = received.length;
    await panel.press('resend', callback);
    await expect.poll(() => received.length).toBeGreaterThan(before);
    await callback.getByText('204').first().waitFor();
    await callback.locator('.attempts summary').first().click();
    // Two attempts within a second have the same signature.
    await callback.getByText(`Request-Signature: ${received[0]}`).first().waitFor();
    await panel.press('delivery');
    await panel.untilOutcome('100 % dropped');
    await panel.page.locator('[data-notice="delivery"]').waitFor();
    await panel.openSection('Payments');
    await panel.page.locator('[data-notice="delivery"] a').click();
    await panel.press('delivery');
    await panel.untilOutcome('delivered normally');
    await panel.page.locator('[data-notice="delivery"]').waitFor({ state: 'detached' });
  });
});
