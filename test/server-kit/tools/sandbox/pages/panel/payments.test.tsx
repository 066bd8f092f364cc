import { describe, expect, it } from 'vitest';
import { initiate, openPanel } from './panel-in-process.tsx';

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
    await initiate(panel, 'pay-2');
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
    const amount = panel.find('[data-form="send-custom"] [name="amount"]', record) as HTMLInputElement;
    await panel.submit('send-custom', { amount: 'much' }, record);
    await expect.poll(() => amount.validationMessage).toContain('Type an amount such as');
    amount.setCustomValidity('');
    await panel.submit('send-custom', { amount: '10,000.01' }, record);
    await panel.untilSaid('Returned by the bank');
    await panel.submit('send-custom', { amount: '10,000.00' }, record);
    await panel.untilSaid('₦10,000.00 arrived');
    panel.sandbox.control.setClock({ advanceSeconds: 60 });
    panel.refresh();
    await panel.untilStatus(record, 'succeeded');
    await panel.press('status-reversed', record);
    await panel.untilStatus(record, 'reversed');
  });

  it('are found by words, and show their callbacks', async () => {
    const panel = await openPanel();
    await panel.untilShown('No payment yet');
    await initiate(panel, 'own-1', 'https://shop.example/callbacks');
    for (let made = 0; made < 102; made += 1) await initiate(panel, `many-${made}`);
    panel.refresh();
    await panel.untilShown('3 older ones: filter to find them');
    const filter = (await panel.found('[data-field="filter"]')) as HTMLInputElement;
    filter.value = 'own 12,500';
    filter.dispatchEvent(new Event('input', { bubbles: true }));
    await panel.untilShown('1 of 103');
    const record = await panel.openRecord('payments', 'own-1');
    await panel.press('send-exact', record);
    await panel.untilShown('payment.succeeded', record);
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
});
