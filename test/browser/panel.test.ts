import { afterAll, beforeAll, describe } from 'vitest';
import { builtServer, type DemoProcess, startDemo } from '../setup/demo-process.ts';
import { it } from './browser-test.ts';
import { openPanel, untilStatus } from './panel-page.ts';
import { createClient, createLink, initiate, registerApp, requestAccount } from './panel-records.ts';
import { control, digitsOf } from './shop-page.ts';

const wide = { viewport: { width: 1280, height: 800 } };

/** A demo of its own: these tests move its clock and break it. */
let demo: DemoProcess;
beforeAll(async () => {
  demo = await startDemo(builtServer);
});
afterAll(() => demo.stop());

/** The account of a payment that nobody's answer has told of. */
async function accountOf(reference: string): Promise<string> {
  const { data } = (await control(demo.url, 'payments')) as {
    data: { reference: string; accountNumber: string }[];
  };
  return data.find((payment) => payment.reference === reference)?.accountNumber ?? '';
}

describe('the frame of the panel', () => {
  it('has an address for each section, which a reload keeps', async ({ expect, newShopper }) => {
    const panel = await openPanel(await newShopper(wide), demo.url);
    const { page } = panel;
    const links = page.getByRole('navigation').getByRole('link');
    expect(await links.count()).toBe(11);
    for (const link of await links.all()) {
      await link.click();
      await expect.poll(() => link.getAttribute('aria-current')).toBe('page');
    }
    await panel.visit('Tax rates');
    expect(page.url()).toMatch(/#\/tax-rates$/);
    expect(await page.title()).toBe('Tax rates · Sandbox');
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'Tax rates' }).waitFor();
    expect(panel.complaints).toEqual([]);
  });

  it('leads back to the demo’s shop, and speaks of none elsewhere', async ({ expect, newShopper }) => {
    const panel = await openPanel(await newShopper(), demo.url);
    expect(await panel.page.getByRole('link', { name: 'Open the shop' }).getAttribute('href')).toBe('/');
    await panel.page.goto(`${demo.url}/service/_sandbox/panel/`);
    await panel.page.locator('[data-connection="live"]').waitFor();
    expect(await panel.page.getByRole('link', { name: 'Open the shop' }).count()).toBe(0);
  });

  it('moves, freezes, sets and resets the clock', async ({ expect, newShopper }) => {
    const panel = await openPanel(await newShopper(wide), demo.url);
    const { page } = panel;
    const offset = page.locator('[data-field="offset"]');
    await offset.getByText('real time').waitFor();
    await panel.press('advance-300');
    await panel.untilSaid('5 min ahead');
    await expect.poll(() => offset.innerText()).toBe('5 min ahead');
    await panel.submit('set-clock', { set: '2030-12-31 23:59' });
    await panel.untilSaid('31 Dec 2030, 23:59:00 UTC');
    await panel.press('freeze');
    await panel.untilSaid(/frozen/);
    const frozen = await page.locator('[data-field="clock"]').innerText();
    for (let looks = 0; looks < 2; looks++) await page.waitForResponse(/_sandbox\/clock$/);
    expect(await page.locator('[data-field="clock"]').innerText()).toBe(frozen);
    await panel.press('real-time');
    await panel.untilSaid('back to real time');
    await expect.poll(() => offset.innerText()).toBe('real time');
  });

  it('closes the menu of the clock at a press beside it, and not at one in it', async ({
    expect,
    newShopper,
  }) => {
    const { page } = await openPanel(await newShopper(wide), demo.url);
    const menu = page.locator('details.menu');
    const isOpen = () => menu.evaluate((element: HTMLDetailsElement) => element.open);
    await menu.locator('summary').click();
    await menu.locator('[name="set"]').click();
    expect(await isOpen()).toBe(true);
    await page.getByRole('heading', { level: 2, name: 'Payments', exact: true }).click();
    expect(await isOpen()).toBe(false);
  });

  it('says when the sandbox does not answer, and goes on by itself', async ({ newShopper }) => {
    const context = await newShopper();
    const panel = await openPanel(context, demo.url);
    await context.setOffline(true);
    await panel.page.locator('[data-connection="lost"]').waitFor();
    await context.setOffline(false);
    await panel.page.locator('[data-connection="live"]').waitFor();
  });

  it('opens on the 100 newest records, and shows more on demand', async ({
    expect,
    newShopper,
    startOwnDemo,
  }) => {
    const url = await startOwnDemo();
    const client = createClient(url);
    for (let first = 0; first < 130; first += 10) {
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          client.payments.initiate({
            reference: `many-${first + index}`,
            paymentMethod: 'pay_with_transfer',
            amount: { value: 100, currency: 'NGN' },
          }),
        ),
      );
    }
    const panel = await openPanel(await newShopper(wide), url);
    const rows = panel.page.locator('.record');
    await expect.poll(() => rows.count()).toBe(100);
    await panel.press('show-more');
    await expect.poll(() => rows.count()).toBe(130);
    await panel.openRecord('payments', 'many-3');
  });
});

// Most of these is waiting, for money to settle and for the next look: several wait at a time.
describe.concurrent('the payments', () => {
  it('get money by a button: exactly what is wanted', async ({ expect, newShopper }) => {
    const panel = await openPanel(await newShopper(wide), demo.url);
    await initiate(demo.url, 'pay-1');
    const record = panel.page.locator('.record[data-id="pay-1"]');
    await panel.press('send-exact', record);
    await panel.untilSaid('NGN 12,500.00 arrived');
    await untilStatus(record, 'succeeded');
    expect(panel.complaints).toEqual([]);
  });

  it('get less, more, and another amount by buttons', async ({ expect, newShopper }) => {
    const panel = await openPanel(await newShopper(wide), demo.url);
    const { accountNumber } = await initiate(demo.url, 'pay-2');
    const other = await panel.openRecord('payments', 'pay-2');
    await panel.press('send-less', other);
    await panel.untilSaid('Returned by the bank: NGN 6,250.00');
    await other.locator('[data-action="policy"]').selectOption('ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL');
    await panel.untilSaid('pay-2 now takes other amounts');
    await panel.submit('send-custom', { amount: '2,500' }, other);
    await panel.untilSaid('NGN 2,500.00 arrived');
    await expect
      .poll(() => other.locator('[data-field="chargedAmount"]').innerText())
      .toContain('2,500.00 of');
    await panel.submit('send-anywhere', { accountNumber, amount: '10,000.00' });
    await panel.untilSaid('NGN 10,000.00 arrived');
    await untilStatus(other, 'succeeded');
    await panel.press('status-reversed', other);
    await untilStatus(other, 'reversed');
    expect(panel.complaints).toEqual([]);
  });

  it('expire and fail by buttons', async ({ newShopper }) => {
    const panel = await openPanel(await newShopper(wide), demo.url);
    await initiate(demo.url, 'pay-3');
    const record = await panel.openRecord('payments', 'pay-3');
    await panel.press('status-expired', record);
    await untilStatus(record, 'expired');
    await initiate(demo.url, 'pay-4');
    const other = await panel.openRecord('payments', 'pay-4');
    await panel.press('status-failed', other);
    await panel.untilSaid('pay-4 is now failed');
    await panel.press('send-again', other);
    await panel.untilSaid('Returned by the bank');
  });

  it('say what is wrong with an amount, and what the sandbox says of an unknown account', async ({
    expect,
    newShopper,
  }) => {
    const panel = await openPanel(await newShopper(wide), demo.url);
    await panel.submit('send-anywhere', { accountNumber: '0000000000', amount: 'much' });
    await panel.page.getByText('Type an amount such as').waitFor();
    await panel.submit('send-anywhere', { amount: '5' });
    await panel.untilSaid(/Refused by the sandbox: No account has the number "0000000000"/);
    // What was typed stays until the sandbox has taken it.
    expect(await panel.page.locator('[data-form="send-anywhere"] [name="amount"]').inputValue()).toBe('5');
  });
});

describe.concurrent('the checkout links', () => {
  it('are opened by a button, and show the payment that they become as it is paid', async ({
    expect,
    newShopper,
  }) => {
    const panel = await openPanel(await newShopper(wide), demo.url);
    const { id } = await createLink(demo.url, 'link-1');
    await panel.visit('Checkout links');
    const record = await panel.openRecord('checkout-links', id);
    await untilStatus(record, 'not_opened');
    await panel.press('open-link', record);
    await panel.untilSaid('link-1 is a payment now');
    await untilStatus(record, 'opened');
    expect(await record.locator('[data-action="open-link"]').count()).toBe(0);
    const payment = record.locator('[data-field="payment"]');
    await payment.locator('[data-status="awaiting_charge"]').waitFor();
    await control(demo.url, 'transfers', { accountNumber: await accountOf('link-1'), amount: 1_250_000 });
    await payment.locator('[data-status="succeeded"]').waitFor();
    await expect
      .poll(() => record.locator('[data-field="chargedAmount"]').innerText())
      .toContain('12,500.00 of');
    await record.getByRole('link', { name: 'payment.succeeded' }).waitFor();
  });

  it('lead to their page, where a shopper opens them, and are found by what they are for', async ({
    expect,
    newShopper,
  }) => {
    const context = await newShopper(wide);
    const panel = await openPanel(context, demo.url);
    const { id } = await createLink(demo.url, 'link-2');
    await createLink(demo.url, 'link-3');
    const record = await panel.openRecord('checkout-links', id);
    const opening = context.waitForEvent('page');
    await record.locator('[data-field="authorizationUrl"] a').click();
    const page = await opening;
    await page.locator('[data-field="accountNumber"]').waitFor();
    await untilStatus(record, 'opened');
    await panel.page.locator('[data-field="filter"]').fill('link-2 opened');
    await panel.page.getByText(/^1 of \d+$/).waitFor();
    expect(await panel.page.locator('.record').count()).toBe(1);
    await record.locator('[data-field="payment"] a').click();
    await panel.page.locator('.record[data-id="link-2"][data-open="true"]').waitFor();
    expect(panel.complaints).toEqual([]);
  });
});

describe.concurrent('the other records', () => {
  it('are account requests that wait for consent, and accounts that take money until they are blocked', async ({
    expect,
    newShopper,
  }) => {
    const panel = await openPanel(await newShopper(wide), demo.url);
    await panel.visit('Dedicated accounts');
    const { accountRequestCode } = await requestAccount(demo.url, 'Ada Obi');
    const refused = await requestAccount(demo.url, 'Bola Ade');
    const other = panel.page.locator(`.record[data-id="${refused.accountRequestCode}"]`);
    await panel.press('refuse', other);
    await untilStatus(other, 'refused');
    const record = await panel.openRecord('dedicated-accounts', accountRequestCode ?? '');
    await panel.press('consent', record);
    await untilStatus(record, 'active');
    expect(digitsOf(await record.locator('[data-field="accountNumber"]').innerText())).toMatch(/^\d{10}$/);
    await panel.submit('send-custom', { amount: '750' }, record);
    await panel.untilSaid('NGN 750.00 arrived');
    await panel.press('status-no_post_no_debit', record);
    await untilStatus(record, 'no_post_no_debit');
    await panel.submit('send-custom', { amount: '750' }, record);
    await panel.untilSaid('Returned by the bank');
    await record.locator('[data-transfer="returned"]').waitFor();
  });

  it('are payouts that are made, confirmed, approved, sent, and reversed', async ({ expect, newShopper }) => {
    const panel = await openPanel(await newShopper(wide), demo.url);
    await panel.visit('Payouts');
    await panel.submit('create-payout', { amount: '50,000', reference: 'out-1', requiresConfirmation: true });
    await panel.untilSaid('Created the payout out-1');
    const id = await panel.page.locator('.record', { hasText: 'out-1' }).getAttribute('data-id');
    const record = await panel.openRecord('payouts', id ?? '');
    expect(await record.locator('[data-action="status-sent"]').count()).toBe(0);
    await panel.press('approve', record);
    await panel.untilSaid('out-1 is approved');
    await panel.press('confirm', record);
    await panel.untilSaid('out-1 is confirmed');
    for (const status of ['sent', 'succeeded', 'reversed']) {
      await panel.press(`status-${status}`, record);
      await untilStatus(record, status);
    }
    await panel.submit('create-payout', { amount: '1', reference: 'out-2' });
    await panel.untilSaid('out-2');
    const otherId = await panel.page.locator('.record', { hasText: 'out-2' }).getAttribute('data-id');
    const other = await panel.openRecord('payouts', otherId ?? '');
    await panel.press('status-sent', other);
    await untilStatus(other, 'sent');
    await panel.submit('fail-payout', { failureCode: 'account_closed' }, other);
    await untilStatus(other, 'failed');
    await other.getByText('account_closed').first().waitFor();
  });

  it('are invoices that are made, paid in parts, and cancelled', async ({ newShopper }) => {
    const panel = await openPanel(await newShopper(wide), demo.url);
    await panel.visit('Invoices');
    await panel.submit('create-invoice', { amountDue: '900', description: 'Library card' });
    await panel.untilSaid('Created the invoice');
    const id = await panel.page.locator('.record', { hasText: 'Library card' }).getAttribute('data-id');
    const record = await panel.openRecord('invoices', id ?? '');
    await panel.press('pay-part', record);
    await untilStatus(record, 'partially_paid');
    await panel.press('pay-exact', record);
    await untilStatus(record, 'paid');
    await panel.submit('create-invoice', { amountDue: '100', description: 'Fee', status: 'draft' });
    const otherId = await panel.page.locator('.record', { hasText: 'Fee' }).getAttribute('data-id');
    const other = await panel.openRecord('invoices', otherId ?? '');
    await panel.press('status-open', other);
    await untilStatus(other, 'open');
    await panel.submit('cancel-invoice', { cancellationReason: 'Made twice' }, other);
    await untilStatus(other, 'cancelled');
    await other.getByText('Made twice').first().waitFor();
  });

  it('are tax rates that are made here, and apps that were registered', async ({ newShopper }) => {
    const panel = await openPanel(await newShopper(wide), demo.url);
    await panel.visit('Tax rates');
    await panel.submit('create-tax-rate', { name: 'VAT', percentage: '7.5' });
    await panel.untilSaid('Created the tax rate VAT');
    await panel.page.locator('.record', { hasText: '7.5 %' }).waitFor();
    await panel.visit('Apps');
    await registerApp(demo.url);
    await panel.page.locator('.record', { hasText: 'Bookshop' }).waitFor();
  });
});
