import { afterAll, beforeAll, describe, expect } from 'vitest';
import { builtServer, type DemoProcess, startDemo } from '../setup/demo-process.ts';
import { it } from './browser-test.ts';
import { createClient, initiate, openPanel, untilStatus } from './panel-page.ts';
import { control } from './shop-page.ts';

const wide = { viewport: { width: 1280, height: 800 } };

/** A separate demo, because these journeys break it. */
let demo: DemoProcess;
beforeAll(async () => {
  demo = await startDemo(builtServer);
});
afterAll(() => demo.stop());

describe('the panel', () => {
  it('moves, freezes, sets and resets the clock, and titles each section', async ({ newShopper }) => {
    const panel = await openPanel(await newShopper(wide), demo.url);
    const { page } = panel;
    const untilOffset = (text: string) => page.locator('[data-field="offset"]', { hasText: text }).waitFor();
    await untilOffset('real time');
    await panel.press('advance-300');
    await panel.untilOutcome('5 min ahead');
    await untilOffset('5 min ahead');
    await panel.submit('set-clock', { set: '2030-12-31 23:59' });
    await panel.untilOutcome('31 Dec 2030, 23:59:00 UTC');
    await panel.press('freeze');
    await panel.untilOutcome('frozen');
    expect(await control(demo.url, 'clock')).toMatchObject({ frozen: true });
    await panel.press('real-time');
    await untilOffset('real time');
    expect(await control(demo.url, 'clock')).toMatchObject({ frozen: false, offsetSeconds: 0 });
    for (const title of ['Callbacks', 'Requests', 'Payments']) {
      await panel.openSection(title);
      await expect.poll(() => page.title()).toBe(`${title} · Sandbox`);
    }
  });

  it('explains a refused request step by step', async ({ newShopper }) => {
    await createClient(demo.url, 'sk_wrong')
      .payments.verify('signed-1')
      .catch(() => {});
    const panel = await openPanel(await newShopper(wide), demo.url, '#/requests');
    const refused = panel.page.locator('.record', { hasText: 'request_signature_invalid' }).first();
    const record = await panel.openRecord('requests', (await refused.getAttribute('data-id')) ?? '');
    await record.getByText('What is wrong with the signature').waitFor();
    for (const step of ['signedText', 'signature expected', 'signature received'])
      await record.locator('figcaption', { hasText: step }).waitFor();
  });

  it('says in every section that faults are active, or callbacks dropped, and ends that', async ({
    newShopper,
  }) => {
    await control(demo.url, 'faults', { operation: 'payouts.list', status: 503 });
    const panel = await openPanel(await newShopper(wide), demo.url, '#/callbacks');
    const notice = (name: string) => panel.page.locator(`[data-notice="${name}"]`);
    await notice('faults').getByText('1 fault is active').waitFor();
    await panel.press('remove-faults');
    await panel.untilOutcome('Removed all faults');
    expect(await control(demo.url, 'faults')).toEqual({ data: [] });
    await panel.press('delivery');
    await panel.openSection('Payments');
    await notice('delivery').getByText('100 % dropped').waitFor();
    await panel.openSection('Callbacks');
    await panel.press('delivery');
    await notice('delivery').waitFor({ state: 'detached' });
  });

  it('sends less, more, and another amount, and reverses the payment', async ({ newShopper }) => {
    await initiate(demo.url, 'pay-2');
    const acceptedAmountPolicy = 'ACCEPTED_AMOUNT_POLICY_FIXED';
    await control(demo.url, 'payments/pay-2', { acceptedAmountPolicy });
    const panel = await openPanel(await newShopper(wide), demo.url);
    const record = await panel.openRecord('payments', 'pay-2');
    await panel.press('send-less', record);
    await panel.untilOutcome('Returned by the bank: ₦11,500.00');
    await record.locator('[data-action="policy"]').selectOption('ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL');
    await panel.untilOutcome('pay-2 now accepts other amounts');
    const send = (amount: string) => panel.submit('send-custom', { amount }, record);
    await send('2,500');
    await record.locator('[data-field="chargedAmount"]', { hasText: '2,500.00 of' }).waitFor();
    await send('much');
    const amount = record.locator('[data-form="send-custom"] [name="amount"]');
    await expect
      .poll(() => amount.evaluate((input) => (input as HTMLInputElement).validationMessage))
      .toContain('Type an amount such as');
    await send('10,000.01');
    await panel.untilOutcome('Returned by the bank: ₦10,000.01');
    await send('10,000.00');
    await untilStatus(record, 'succeeded');
    await panel.press('status-reversed', record);
    await untilStatus(record, 'reversed');
  });

  it('finds one of many payments by words, shows its callbacks, and ends others', async ({ newShopper }) => {
    await initiate(demo.url, 'with-callbacks', 'http://localhost:9/callbacks');
    await Promise.all(Array.from({ length: 102 }, (_, index) => initiate(demo.url, `many-${index}`)));
    const panel = await openPanel(await newShopper(wide), demo.url);
    const { page } = panel;
    await page.getByText('older ones: filter to find them').waitFor();
    await page.locator('[data-field="filter"]').fill('with-callbacks 12,500');
    await page.getByText(/1 of 1\d\d/).waitFor();
    const record = await panel.openRecord('payments', 'with-callbacks');
    await panel.press('send-exact', record);
    await record.getByText('payment.succeeded').first().waitFor();
    await page.locator('[data-field="filter"]').fill('');
    const expired = await panel.openRecord('payments', 'many-1');
    await panel.press('status-expired', expired);
    await untilStatus(expired, 'expired');
    const failed = await panel.openRecord('payments', 'many-2');
    await panel.press('status-failed', failed);
    await panel.untilOutcome('many-2 is now failed');
    await panel.press('send-again', failed);
    await panel.untilOutcome('Returned by the bank');
  });
});
