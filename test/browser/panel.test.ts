import { expect } from 'vitest';
import { it } from './browser-test.ts';
import { createLink, initiate, openPanel, untilStatus } from './panel-page.ts';

it('a tour of the panel sends money, shows a link’s payment once its page is open, follows an address, and loses the network', async ({
  newShopper,
  startOwnDemo,
}) => {
  const url = await startOwnDemo();
  const context = await newShopper({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const panel = await openPanel(context, url);
  const { page } = panel;
  await initiate(url, 'pay-1');
  const payment = page.locator('.record[data-id="pay-1"]');
  await panel.press('send-exact', payment);
  await panel.untilOutcome('₦12,500.00 arrived');
  await untilStatus(payment, 'succeeded');

  const { authorizationUrl, reference } = await createLink(url, 'link-1');
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
  await page.getByRole('link', { name: 'Demo' }).click();
  await page.getByRole('link', { name: 'Panel' }).click();
  await page.locator('[data-connection="live"]').waitFor();
  expect(panel.complaints).toEqual([]);
  // The sandbox's own panel has no demo.
  await page.goto(`${url}/service/_sandbox/panel/`);
  await page.locator('[data-connection="live"]').waitFor();
  expect(await page.getByRole('link', { name: 'Demo' }).count()).toBe(0);
});
