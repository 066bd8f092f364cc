import { describe, expect, inject } from 'vitest';
import { it } from './hosted-demo.ts';
import { desktop, openLanding, openPaying, phone, press } from './landing-page.ts';
import { control, digitsOf, hold, openShop, untilFound } from './shop-page.ts';

describe('the landing page', () => {
  it.for([
    ['on a phone', phone],
    ['on a desktop', desktop],
  ] as const)('shows the main button in the first window, %s', async ([, options], { newShopper }) => {
    const { page } = await openLanding(await newShopper(options));
    const box = await page.getByRole('button', { name: 'Pay by bank transfer' }).boundingBox();
    expect((box?.y ?? 9999) + (box?.height ?? 0)).toBeLessThan(options.viewport.height);
  });

  it('remembers a press from before the shop has responded', async ({ newShopper }) => {
    const context = await newShopper();
    const letGo = await hold(context, '**/cart');
    const { page, pressPay, untilState } = await openLanding(context);
    await pressPay();
    await page.getByText('Starting the checkout…').waitFor();
    letGo();
    await untilState('awaitingTransfer');
  });

  it('starts nothing after a press that was dismissed', async ({ newShopper }) => {
    const context = await newShopper();
    const letGo = await hold(context, '**/cart');
    const { page, pressPay } = await openLanding(context);
    await pressPay();
    await page.getByText('Starting the checkout…').waitFor();
    await page.keyboard.press('Escape');
    letGo();
    await page.getByRole('button', { name: 'Pay on the payment page' }).waitFor();
    expect(await page.locator('[data-progress]').count()).toBe(0);
  });

  it('lets the visitor be late, and pay then', async ({ newShopper, startOwnDemo }) => {
    const landing = await openPaying(await newShopper(desktop), await startOwnDemo());
    const { page, untilState } = landing;
    await page.locator('.bank-simulation summary').click();
    await press(page, 'run-out');
    await untilState('expired');
    await press(page, 'send-exactly');
    await page.locator('[data-result="accepted"]').waitFor();
    await untilState('receivedLate');
    await page.getByText('We are packing your books.').first().waitFor();
    expect(await page.locator('.bank-exactly').getAttribute('aria-disabled')).toBe('true');
  });

  it('stops saying that an order is paid when its money was taken back', async ({ newShopper }) => {
    const landing = await openPaying(await newShopper(phone));
    const { page, text } = landing;
    await press(page, 'send-exactly');
    await page.getByText('We are packing your books.').first().waitFor();
    await control(inject('demoUrl'), `payments/${await text('reference')}`, { status: 'reversed' });
    await untilFound(landing, 'text=We are not sending your books.');
    expect(await page.getByText('We are packing your books.').count()).toBe(0);
  });

  it('has no bank app and no control panel with another service than the sandbox', async ({
    newShopper,
    startOwnDemo,
  }) => {
    const url = await startOwnDemo({
      PAYMENTS_BASE_URL: `${inject('demoUrl')}/service`,
      PAYMENTS_API_KEY: 'pk_test_sandbox',
      PAYMENTS_API_SECRET: 'sk_test_sandbox',
    });
    const { page, pressPay, untilState, messages } = await openLanding(await newShopper(), url);
    await pressPay();
    await untilState('awaitingTransfer');
    await press(page, 'activity-toggle');
    await page.getByText('Nothing yet.').waitFor();
    expect(await page.locator('.bank').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Control panel' }).count()).toBe(0);
    expect(messages).toEqual([]);
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
    await page.locator('.bank [name="amount"]').fill('11,500.00');
    await press(page, 'send');
    await page.locator('[data-result="accepted"]').waitFor();
    await untilState('partlyPaid');
    await press(page, 'send-exactly');
    await untilState('succeeded');
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

  it('says why it cannot work in a browser without service workers, and links to the gallery', async ({
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
