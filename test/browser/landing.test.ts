import { describe, expect, inject } from 'vitest';
import { findViolations } from './axe.ts';
import { it } from './hosted-demo.ts';
import { desktop, fitsWidth, isInSight, openLanding, openPaying, phone, press } from './landing-page.ts';
import { digitsOf, hold, openShop } from './shop-page.ts';

describe('the landing page', () => {
  it.for([
    ['on a phone', phone],
    ['on a desktop', desktop],
  ] as const)('takes a payment from its bank app, %s', async ([, options], { newShopper }) => {
    const landing = await openLanding(await newShopper(options));
    const { page, messages } = landing;
    const violations = await findViolations(page);
    const widths = [await fitsWidth(page)];
    await landing.pressPay();
    await landing.untilState('awaitingTransfer');
    await page.locator('[data-action="send-exactly"]').waitFor();
    violations.push(...(await findViolations(page)));
    await press(page, 'send-exactly');
    await landing.untilState('succeeded');
    await page.getByText('Payment received').first().waitFor();
    await press(page, 'activity-toggle');
    await page.locator('.activity-name', { hasText: 'onPaid' }).waitFor();
    violations.push(...(await findViolations(page)));
    widths.push(await fitsWidth(page));
    expect({ violations, widths, messages }).toEqual({ violations: [], widths: [true, true], messages: [] });
    const before = await page.locator('#order-id').textContent();
    await page.getByRole('button', { name: 'Start a new order' }).click();
    await page.getByRole('button', { name: 'Pay by bank transfer' }).waitFor();
    await expect.poll(() => page.locator('#order-id').textContent()).toMatch(/^order-/);
    expect(await page.locator('#order-id').textContent()).not.toBe(before);
  });

  it('remembers a press from before its scripts, and says that it is starting', async ({ newShopper }) => {
    const context = await newShopper();
    const letGo = await hold(context, /\/assets\/.*\.js$/);
    const page = await context.newPage();
    await page.goto(inject('demoUrl'), { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Pay by bank transfer' }).click();
    await page.getByText('Starting the checkout…').waitFor();
    letGo();
    await page.locator('[data-state="awaitingTransfer"]').first().waitFor();
    expect(await page.getByText('Starting the checkout…').isVisible()).toBe(false);
  });

  it('pastes in the bank app what the checkout has copied', async ({ newShopper }) => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, text, untilState } = await openPaying(await newShopper({ ...desktop, permissions }));
    await page.locator('.accountNumber button').click();
    await page.getByText('Copied').first().waitFor();
    await press(page, 'paste');
    expect(digitsOf(await page.locator('.bank-payee .bank-hint').innerText())).toBe(
      digitsOf(await text('accountNumber')),
    );
    await page.locator('input[value="less"]').check();
    await press(page, 'send');
    await page.locator('[data-result="accepted"]').waitFor();
    await untilState('partlyPaid');
    await press(page, 'send-exactly');
    await untilState('succeeded');
  });

  it('never hides the account number behind the bank app of a phone', async ({ newShopper }) => {
    const landing = await openPaying(await newShopper({ ...phone, reducedMotion: 'reduce' }));
    const { page } = landing;
    expect(await isInSight(landing, 'accountNumber')).toBe(true);
    await press(page, 'bank-toggle');
    await page.locator('[data-step="recipient"]').waitFor();
    expect(await isInSight(landing, 'accountNumber')).toBe(true);
    await page.locator('[name="accountNumber"]').fill(digitsOf(await landing.text('accountNumber')));
    await page.locator('[data-step="amount"]').waitFor();
    expect(await isInSight(landing, 'accountNumber')).toBe(true);
    // Everything else can be scrolled out from under it. The page follows the height of the bank app one frame later.
    const isLastCovered = async (): Promise<boolean> => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      const last = await page.locator('.ways li').last().boundingBox();
      const bank = await page.locator('.bank').boundingBox();
      return (last?.y ?? 9999) + (last?.height ?? 0) > (bank?.y ?? 0);
    };
    expect(await page.locator('.ways li').last().isVisible()).toBe(true);
    await expect.poll(isLastCovered).toBe(false);
  });

  it('works in a folder of a static file server', async ({ newShopper, site }) => {
    const { page, untilState, messages, requested } = await openPaying(await newShopper(), site.url);
    await press(page, 'send-exactly');
    await untilState('succeeded');
    await page.getByRole('button', { name: 'Start a new order' }).click();
    await page.getByRole('button', { name: 'Pay by bank transfer' }).waitFor();
    expect(requested.filter((url) => !url.startsWith(`${site.url}/`))).toEqual([]);
    expect(messages).toEqual([]);
  });

  it('says why it cannot work in a browser without service workers, and leads to the gallery', async ({
    newShopper,
    site,
  }) => {
    const context = await newShopper();
    await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'));
    const { page } = await openShop(context, site.url);
    await page.getByText('which this browser does not offer here').waitFor();
    expect(await page.getByRole('button', { name: 'Pay by bank transfer' }).count()).toBe(0);
    await page.getByRole('link', { name: 'See all screens of the checkout' }).click();
    await page.waitForURL(`${site.url}/gallery.html`);
  });
});
