import { afterAll, beforeAll, describe, expect } from 'vitest';
import { serve } from '../server-kit/serve.ts';
import { builtServer, type DemoProcess, startDemo } from '../setup/demo-process.ts';
import { it } from './browser-test.ts';
import { openPanel } from './panel-page.ts';
import { createClient, initiate } from './panel-records.ts';
import { control } from './shop-page.ts';

const wide = { viewport: { width: 1280, height: 800 } };

/** A demo of its own: these tests break it. */
let demo: DemoProcess;
beforeAll(async () => {
  demo = await startDemo(builtServer);
});
afterAll(() => demo.stop());

describe('the wire', () => {
  it('shows each callback with its attempts and signature, sends it again, and can be disturbed', async ({
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
    await panel.submit('callback-delivery', { drop: '50', delaySeconds: '30' });
    await panel.untilSaid('50 % dropped, delayed by 30 s');
    await panel.page.locator('[data-notice="delivery"]').waitFor();
    await panel.visit('Payments');
    await panel.page.locator('[data-notice="delivery"] a').click();
    await panel.submit('callback-delivery', { drop: '0', delaySeconds: '0' });
    await panel.untilSaid('delivered as they should be');
    await panel.page.locator('[data-notice="delivery"]').waitFor({ state: 'detached' });
  });

  it('shows why a request was refused, step by step, and can be held still', async ({ newShopper }) => {
    await initiate(demo.url, 'signed-1');
    await createClient(demo.url, 'sk_wrong')
      .payments.verify('signed-1')
      .catch(() => {});
    const panel = await openPanel(await newShopper(wide), demo.url);
    await panel.visit('Requests');
    await panel.page
      .locator('.record', { hasText: 'request_signature_invalid' })
      .first()
      .locator('a')
      .click();
    const record = panel.page.locator('.record[data-open="true"]');
    await record.getByText('What is wrong with the signature').waitFor();
    for (const step of ['signedText', 'signature expected', 'signature received'])
      await record.locator('figcaption', { hasText: step }).waitFor();
    await panel.press('pause');
    const count = await panel.page.locator('.record').count();
    await createClient(demo.url).payments.verify('signed-1');
    await panel.page.getByText(/newer ones? (is|are) held back/).waitFor();
    expect(await panel.page.locator('.record').count()).toBe(count);
    await panel.press('pause');
    await expect.poll(() => panel.page.locator('.record').count()).toBeGreaterThan(count);
  });

  it('breaks on demand, says so on every section, and is mended again', async ({ newShopper }) => {
    const panel = await openPanel(await newShopper(wide), demo.url);
    await initiate(demo.url, 'broken-1');
    await panel.visit('Faults');
    await panel.submit('add-fault', { operation: 'payments.verify', status: '503', times: '2' });
    await panel.untilSaid('Added: 503 for payments.verify, 2 times more');
    await panel.submit('add-fault', { operation: '*', status: '500', chance: '0.1', times: '' });
    await panel.visit('Invoices');
    await panel.page.locator('[data-notice="faults"]', { hasText: '2 faults are active' }).waitFor();
    await expect(createClient(demo.url).payments.verify('broken-1')).rejects.toMatchObject({
      code: 'service_error',
    });
    await panel.page.locator('[data-notice="faults"] a').click();
    const fault = panel.page.locator('.record', { hasText: 'payments.verify' });
    await fault.getByText('once more').waitFor();
    await panel.press('remove-fault', fault);
    await panel.untilSaid('Removed: 503');
    await panel.submit('add-fault', { operation: 'payouts.list', status: 'timeout', times: '1', chance: '' });
    await panel.press('remove-faults');
    await panel.untilSaid('Removed all faults');
    await panel.page.getByText('No fault is active').waitFor();
  });

  it('is open to a client made of the credentials', async ({ newShopper }) => {
    const context = await newShopper(wide);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const panel = await openPanel(context, demo.url, '#/credentials');
    await panel.page.getByRole('button', { name: 'Copy the base URL' }).click();
    await panel.untilSaid('Copied the base URL');
    expect(await panel.page.evaluate(() => navigator.clipboard.readText())).toBe(`${demo.url}/service`);
    await panel.page.getByText('createPaymentsClient({').waitFor();
  });
});
