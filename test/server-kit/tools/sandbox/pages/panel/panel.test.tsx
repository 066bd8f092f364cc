import { describe, expect, it } from 'vitest';
import { sectionTitles } from '../../../../../../server-kit/tools/sandbox/pages/panel/route.ts';
import { clientOf, initiate, openPanel } from './panel-in-process.tsx';

describe('the frame of the panel', () => {
  it('links to each section, and shows its title', async () => {
    const panel = await openPanel();
    for (const [section, title] of Object.entries(sectionTitles)) {
      panel.visit(section as keyof typeof sectionTitles);
      await expect.poll(() => panel.text('h2#section-title')).toBe(title);
      expect(panel.text('[aria-current="page"]')).toContain(title);
      await expect.poll(() => document.title).toBe(`${title} · Sandbox`);
    }
  });

  it('moves, freezes, sets and resets the clock', async () => {
    const panel = await openPanel();
    const untilOffset = (text: string) => expect.poll(() => panel.text('[data-field="offset"]')).toBe(text);
    await untilOffset('real time');
    await panel.press('advance-300');
    await panel.untilSaid('5 min ahead');
    await untilOffset('5 min ahead');
    await panel.submit('set-clock', { set: '2030-12-31 23:59' });
    await panel.untilSaid('31 Dec 2030, 23:59:00 UTC');
    await panel.press('freeze');
    await panel.untilSaid(/frozen/);
    expect(panel.sandbox.control.readClock().frozen).toBe(true);
    await panel.press('real-time');
    await panel.untilSaid('back to real time');
    await untilOffset('real time');
    expect(panel.sandbox.control.readClock()).toMatchObject({ frozen: false, offsetSeconds: 0 });
  });
});

describe('requests, faults and callbacks in the panel', () => {
  it('explain a refused request step by step', async () => {
    const panel = await openPanel();
    await initiate(panel, 'signed-1');
    await clientOf(panel, 'sk_wrong')
      .payments.verify('signed-1')
      .catch(() => {});
    panel.visit('requests');
    panel.refresh();
    const refused = await panel.recordWith('request_signature_invalid');
    const record = await panel.openRecord('requests', refused.dataset.id ?? '');
    await panel.untilShown('What is wrong with the signature', record);
    const steps = [...record.querySelectorAll('figcaption')].map((step) => step.textContent ?? '');
    for (const step of ['signedText', 'signature expected', 'signature received'])
      expect(steps).toContainEqual(expect.stringContaining(step));
  });

  it('say in every section that faults are active, and remove them', async () => {
    const panel = await openPanel();
    panel.sandbox.control.addFault({ operation: 'payments.verify', status: 503 });
    panel.visit('callbacks');
    await expect.poll(() => panel.text('[data-notice="faults"]')).toContain('1 fault is active');
    await panel.press('remove-faults');
    await panel.untilSaid('Removed all faults');
    expect(panel.sandbox.control.listFaults()).toEqual([]);
  });

  it('can be stopped, with a notice in every section, and delivered again', async () => {
    const panel = await openPanel();
    panel.visit('callbacks');
    await panel.press('delivery');
    await panel.untilSaid('100 % dropped');
    panel.visit('payments');
    await expect.poll(() => panel.text('[data-notice="delivery"]')).toContain('100 % dropped');
    panel.visit('callbacks');
    await panel.press('delivery');
    await panel.untilSaid('delivered normally');
    await expect.poll(() => panel.find('[data-notice="delivery"]')).toBeNull();
  });
});

describe('payments in the panel', () => {
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
