import { describe, expect, it } from 'vitest';
import { initiate, openPanel } from './panel-in-process.tsx';

describe('payments in the panel', () => {
  it('are created, show their callbacks, and are found by words', async () => {
    const panel = await openPanel();
    await panel.untilShown('No payment yet');
    const callbackUrl = 'https://shop.example/callbacks';
    await panel.submit('create-payment', { amount: '12,500', reference: 'own-1', callbackUrl });
    await panel.untilSaid('Created the payment own-1');
    await panel.submit('create-payment', { amount: '1', reference: 'own-1' });
    await panel.untilSaid(/Refused by the sandbox: .*used before/);
    await panel.submit('create-payment', { amount: '10', reference: '' });
    await panel.untilSaid(/Created the payment panel-\d+/);
    const filter = (await panel.found('[data-field="filter"]')) as HTMLInputElement;
    filter.value = 'own 12,500';
    filter.dispatchEvent(new Event('input', { bubbles: true }));
    await panel.untilShown('1 of 2');
    const record = await panel.openRecord('payments', 'own-1');
    await panel.press('send-exact', record);
    await panel.untilShown('payment.succeeded', record);
  });

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
    const amount = panel.find('[data-form="send-anywhere"] [name="amount"]') as HTMLInputElement;
    await expect.poll(() => amount.validationMessage).toContain('Type an amount such as');
    amount.setCustomValidity('');
    await panel.submit('send-anywhere', { amount: '5' });
    await panel.untilSaid(/Refused by the sandbox: No account has the number "0000000000"/);
    // A form keeps its values until the sandbox has accepted them.
    expect(amount.value).toBe('5');
  });

  it('show the 100 newest, and more on demand', async () => {
    const panel = await openPanel();
    for (let made = 0; made < 103; made += 1) await initiate(panel, `many-${made}`);
    panel.refresh();
    await expect.poll(() => panel.records().length).toBe(100);
    // An address shows its record, however old it is.
    await panel.openRecord('payments', 'many-1');
    expect(panel.records().length).toBe(102);
    await panel.press('show-more');
    await expect.poll(() => panel.records().length).toBe(103);
  });
});
