import { describe, expect, inject } from 'vitest';
import { it } from './browser-test.ts';
import { desktop, openLanding, openPaying, phone, press } from './landing-page.ts';
import { control, hold, untilFound } from './shop-page.ts';

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
    expect(await page.locator('[data-state]').count()).toBe(0);
  });

  it('lets the visitor be late, and pay then', async ({ newShopper, startOwnDemo }) => {
    const landing = await openPaying(await newShopper(desktop), await startOwnDemo());
    const { page, untilState } = landing;
    await page.locator('.bank-simulation summary').click();
    await press(page, 'run-out');
    await untilState('expired');
    await press(page, 'send-exactly');
    await page.locator('[data-result="accepted"]').waitFor();
    await untilFound(landing, 'text=Your order is paid.');
    expect(await page.locator('.bank-exactly').count()).toBe(0);
  });

  it('no longer says that an order is paid when its money was taken back', async ({ newShopper }) => {
    const landing = await openPaying(await newShopper(phone));
    const { page, text } = landing;
    await press(page, 'send-exactly');
    await page.getByText('Your order is paid.').waitFor();
    await control(inject('demoUrl'), `payments/${await text('reference')}`, { status: 'reversed' });
    await untilFound(landing, 'text=We are not sending your books.');
    expect(await page.getByText('Your order is paid.').count()).toBe(0);
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
    for (const name of ['Control panel', 'Operator’s view'])
      expect(await page.getByRole('link', { name }).count()).toBe(0);
    expect(messages).toEqual([]);
  });
});
