import { describe, expect, it } from 'vitest';
import { individual } from '../../../../kit/account-requests.ts';
import { clientOf, initiate, openPanel } from './panel-in-process.tsx';

const callbackUrl = 'http://localhost:9/callbacks';

describe('payments in the panel', () => {
  it('receive the exact amount', async () => {
    const panel = await openPanel();
    await initiate(panel, 'pay-1');
    panel.refresh();
    const record = await panel.recordWith('pay-1');
    await panel.press('send-exact', record);
    await panel.untilSaid('₦12,500.00 arrived');
    panel.sandbox.control.setClock({ advanceSeconds: 60 });
    panel.refresh();
    await panel.untilStatus(record, 'succeeded');
  });

  it('receive less, more, and another amount', async () => {
    const panel = await openPanel();
    const { accountNumber } = await initiate(panel, 'pay-2');
    const record = await panel.openRecord('payments', 'pay-2');
    await panel.press('send-less', record);
    await panel.untilSaid('Returned by the bank: ₦11,500.00');
    const policy = (await panel.found('[data-action="policy"]', record)) as HTMLSelectElement;
    policy.value = 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL';
    policy.dispatchEvent(new Event('change', { bubbles: true }));
    await panel.untilSaid('pay-2 now accepts other amounts');
    await panel.submit('send-custom', { amount: '2,500' }, record);
    await panel.untilSaid('₦2,500.00 arrived');
    await expect.poll(() => panel.text('[data-field="chargedAmount"]', record)).toContain('2,500.00 of');
    await panel.submit('send-anywhere', { accountNumber, amount: '10,000.00' });
    await panel.untilSaid('₦10,000.00 arrived');
    panel.sandbox.control.setClock({ advanceSeconds: 60 });
    panel.refresh();
    await panel.untilStatus(record, 'succeeded');
    await panel.press('status-reversed', record);
    await panel.untilStatus(record, 'reversed');
  });

  it('expire and fail', async () => {
    const panel = await openPanel();
    await initiate(panel, 'pay-3');
    const record = await panel.openRecord('payments', 'pay-3');
    await panel.press('status-expired', record);
    await panel.untilStatus(record, 'expired');
    await initiate(panel, 'pay-4');
    const other = await panel.openRecord('payments', 'pay-4');
    await panel.press('status-failed', other);
    await panel.untilSaid('pay-4 is now failed');
    await panel.press('send-again', other);
    await panel.untilSaid('Returned by the bank');
  });

  it('report an invalid amount, and the sandbox’s refusal of an unknown account', async () => {
    const panel = await openPanel();
    await panel.submit('send-anywhere', { accountNumber: '0000000000', amount: 'much' });
    await panel.untilShown('Type an amount such as');
    await panel.submit('send-anywhere', { amount: '5' });
    await panel.untilSaid(/Refused by the sandbox: No account has the number "0000000000"/);
    // A form keeps its values until the sandbox has accepted them.
    const amount = panel.find('[data-form="send-anywhere"] [name="amount"]') as HTMLInputElement;
    expect(amount.value).toBe('5');
  });

  it('show the 100 newest, and more on demand', async () => {
    const panel = await openPanel();
    for (let made = 0; made < 130; made += 1) await initiate(panel, `many-${made}`);
    panel.refresh();
    await expect.poll(() => panel.records().length).toBe(100);
    // An address shows its record, however old it is.
    await panel.openRecord('payments', 'many-20');
    expect(panel.records().length).toBe(110);
    await panel.press('show-more');
    await expect.poll(() => panel.records().length).toBe(130);
  });
});

describe('checkout links in the panel', () => {
  const createLink = async (panel: Awaited<ReturnType<typeof openPanel>>, reference: string) =>
    clientOf(panel).checkout.create({
      reference,
      amount: { value: 1_250_000, currency: 'NGN' },
      returnUrl: 'https://shop.example/returned',
      callbackUrl,
    });

  it('are opened by a button, and show their payment while it is paid', async () => {
    const panel = await openPanel();
    const { id } = await createLink(panel, 'link-1');
    const record = await panel.openRecord('checkout-links', id);
    await panel.untilStatus(record, 'not_opened');
    await panel.press('open-link', record);
    await panel.untilSaid('link-1 is now a payment');
    await panel.untilStatus(record, 'opened');
    expect(panel.find('[data-action="open-link"]', record)).toBeNull();
    const payment = await panel.found('[data-field="payment"]', record);
    await panel.found('[data-status="awaiting_charge"]', payment);
    const { accountNumber } = panel.sandbox.control.listPayments()[0] ?? {};
    panel.sandbox.control.transfer({ accountNumber: accountNumber ?? '', amount: 1_250_000 });
    panel.sandbox.control.setClock({ advanceSeconds: 60 });
    panel.refresh();
    await panel.found('[data-status="succeeded"]', payment);
    await expect.poll(() => panel.text('[data-field="chargedAmount"]', record)).toContain('12,500.00 of');
    await panel.untilShown('payment.succeeded', record);
  });

  it('link to their page, and are found by amount and reference', async () => {
    const panel = await openPanel();
    const { id, authorizationUrl } = await createLink(panel, 'link-2');
    await createLink(panel, 'link-3');
    const record = await panel.openRecord('checkout-links', id);
    const link = await panel.found('[data-field="authorizationUrl"] a', record);
    expect(link.getAttribute('href')).toBe(authorizationUrl);
    const filter = (await panel.found('[data-field="filter"]')) as HTMLInputElement;
    filter.value = 'link-2 not_opened';
    filter.dispatchEvent(new Event('input', { bubbles: true }));
    await panel.untilShown('1 of 2');
    expect(panel.records()).toHaveLength(1);
  });
});

describe('other records in the panel', () => {
  it('include account requests, and accounts that receive money until they are blocked', async () => {
    const panel = await openPanel();
    const request = (accountName: string) =>
      clientOf(panel).dedicatedAccounts.create({ ...individual, accountName, callbackUrl });
    const { accountRequestCode = '' } = await request('Ada Obi');
    const refused = await request('Bola Ade');
    panel.visit('dedicated-accounts');
    panel.refresh();
    const other = await panel.found(`.record[data-id="${refused.accountRequestCode}"]`);
    await panel.press('refuse', other);
    await panel.untilStatus(other, 'refused');
    const record = await panel.openRecord('dedicated-accounts', accountRequestCode);
    await panel.press('consent', record);
    await panel.untilStatus(record, 'active');
    expect(panel.text('[data-field="accountNumber"]', record).replace(/\D/g, '')).toMatch(/^\d{10}$/);
    await panel.submit('send-custom', { amount: '750' }, record);
    await panel.untilSaid('₦750.00 arrived');
    await panel.press('status-no_post_no_debit', record);
    await panel.untilStatus(record, 'no_post_no_debit');
    await panel.submit('send-custom', { amount: '750' }, record);
    await panel.untilSaid('Returned by the bank');
    await panel.found('[data-transfer="returned"]', record);
  });

  it('include payouts that are created, confirmed, approved, sent and reversed', async () => {
    const panel = await openPanel();
    panel.visit('payouts');
    await panel.submit('create-payout', { amount: '50,000', reference: 'out-1', requiresConfirmation: true });
    await panel.untilSaid('Created the payout out-1');
    const { id = '' } = (await panel.recordWith('out-1')).dataset;
    const record = await panel.openRecord('payouts', id);
    expect(panel.find('[data-action="status-sent"]', record)).toBeNull();
    await panel.press('approve', record);
    await panel.untilSaid('out-1 is approved');
    await panel.press('confirm', record);
    await panel.untilSaid('out-1 is confirmed');
    for (const status of ['sent', 'succeeded', 'reversed']) {
      await panel.press(`status-${status}`, record);
      await panel.untilStatus(record, status);
    }
    await panel.submit('create-payout', { amount: '1', reference: 'out-2' });
    await panel.untilSaid('out-2');
    const other = await panel.openRecord('payouts', (await panel.recordWith('out-2')).dataset.id ?? '');
    await panel.press('status-sent', other);
    await panel.untilStatus(other, 'sent');
    await panel.submit('fail-payout', { failureCode: 'account_closed' }, other);
    await panel.untilStatus(other, 'failed');
    await panel.untilShown('account_closed', other);
  });

  it('include invoices that are created, partially paid and cancelled', async () => {
    const panel = await openPanel();
    panel.visit('invoices');
    await panel.submit('create-invoice', { amountDue: '900', description: 'Library card' });
    await panel.untilSaid('Created the invoice');
    const record = await panel.openRecord(
      'invoices',
      (await panel.recordWith('Library card')).dataset.id ?? '',
    );
    await panel.press('pay-less', record);
    await panel.untilStatus(record, 'partially_paid');
    await panel.press('pay-exactly', record);
    await panel.untilStatus(record, 'paid');
    await panel.submit('create-invoice', { amountDue: '100', description: 'Fee', status: 'draft' });
    const other = await panel.openRecord('invoices', (await panel.recordWith('Fee')).dataset.id ?? '');
    await panel.press('status-open', other);
    await panel.untilStatus(other, 'open');
    await panel.submit('cancel-invoice', { cancellationReason: 'Made twice' }, other);
    await panel.untilStatus(other, 'cancelled');
    await panel.untilShown('Made twice', other);
  });

  it('include tax rates that are created here, and registered apps', async () => {
    const panel = await openPanel();
    panel.visit('tax-rates');
    await panel.submit('create-tax-rate', { name: 'VAT', percentage: '7.5' });
    await panel.untilSaid('Created the tax rate VAT');
    await panel.recordWith('7.5 %');
    panel.visit('apps');
    await clientOf(panel).apps.register({
      name: 'Bookshop',
      icon: 'https://shop.example/icon.png',
      base64Icon: 'aWNvbg==',
      scheme: 'bookshop',
    });
    panel.refresh();
    await panel.recordWith('Bookshop');
  });
});
