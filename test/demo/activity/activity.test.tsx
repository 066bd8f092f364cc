import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { call, initiate, verify } from '../../server-kit/tools/sandbox/sandbox-kit.ts';
import { openActivity, reference, shopEvent } from './activity-in-process.tsx';

const path = `/v1/payments/${reference}/verify`;

/** From now on the pauses between readings, a second each, pass only when the test says so. */
function holdPauses(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('the developer panel', () => {
  it('reads nothing until it is unfolded, and then only while the page is visible', async () => {
    holdPauses();
    const panel = await openActivity();
    expect([panel.reads(), panel.text()]).toEqual([0, 'What the shop’s server does']);
    panel.toggle();
    await expect.poll(() => panel.text()).toContain('Nothing yet');
    expect([panel.reads(), panel.stored()]).toEqual([1, 'open']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(panel.reads()).toBe(2);
    panel.setHidden(true);
    await vi.advanceTimersByTimeAsync(5000);
    expect(panel.reads()).toBe(2);
    panel.setHidden(false);
    await expect.poll(panel.reads).toBe(3);
  });

  it('shows requests, callbacks and handlers of this order in one line of time', async () => {
    const panel = await openActivity({ stored: 'open' });
    const { sandbox } = panel;
    await initiate(sandbox);
    await initiate(sandbox, { reference: 'another-order' });
    await panel.untilNames(['POST /v1/payments']);
    sandbox.control.setClock({ advanceSeconds: 5 });
    const [payment] = sandbox.control.listPayments().filter((one) => one.reference === reference);
    sandbox.control.transfer({ accountNumber: String(payment?.accountNumber), amount: 1_250_000 });
    await expect
      .poll(() => sandbox.control.listCallbacks().every(({ state }) => state === 'delivered'))
      .toBe(true);
    sandbox.control.setClock({ advanceSeconds: 5 });
    await verify(sandbox);
    // The shop's clock is not moved.
    panel.events.push(shopEvent(1));
    panel.refresh();
    const callbacks = ['POST /callbacks', 'POST /callbacks'];
    await panel.untilNames(['POST /v1/payments', ...callbacks, `GET ${path}`, 'onPaid']);
    expect(panel.all('time')).toEqual(['09:30:00', '09:30:05', '09:30:05', '09:30:10', '09:30:11']);
    expect(panel.all('.activity-status')).toEqual(['200', '204', '204', '200']);
    expect(panel.text()).toMatch(/Hears that money has arrived[\s\S]*Hears that the money is confirmed/);
    expect(panel.text()).toContain('₦12,500.00 received. The order is paid: the shop delivers now.');
    expect(panel.all('.activity-payload div')).toContain('payment.chargedAmount 1250000');
    // With spaces, where a narrow panel breaks the line.
    expect(panel.all('.activity-payload div')).toContain(
      'order.amount { "value": 1250000, "currency": "NGN" }',
    );
    expect(panel.text()).not.toContain('another-order');
  });

  it('joins repeated verifications, and shows the signature of the latest', async () => {
    const panel = await openActivity({ stored: 'open' });
    await initiate(panel.sandbox);
    for (let times = 0; times < 3; times += 1) await verify(panel.sandbox);
    panel.refresh();
    await panel.untilNames(['POST /v1/payments', `GET ${path}`]);
    expect(panel.all('.activity-count')).toEqual(['3 times']);
    const [first] = panel.sandbox.control.listRequests();
    const signature = first?.requestHeaders['request-signature'] ?? '';
    expect(panel.all('.activity-call pre')[1]).toContain(`Request-Signature: ${signature}`);
    expect(panel.all('.activity-call pre')[0]).toContain('"paymentMethod": "pay_with_transfer"');
  });

  it('shows a refusal, says when there is no response, and goes on when there is', async () => {
    const panel = await openActivity({ stored: 'open' });
    await initiate(panel.sandbox);
    await call(panel.sandbox, path, { secret: 'sk_wrong' });
    panel.refresh();
    await expect.poll(() => panel.all('.activity-status')).toEqual(['200', '401']);
    expect(panel.all('.activity-error')[0]).toMatch(/signature/i);
    panel.setDown(true);
    panel.refresh();
    await expect.poll(() => panel.text()).toContain('No response. The panel keeps trying.');
    panel.setDown(false);
    panel.refresh();
    await expect.poll(() => panel.text()).not.toContain('No response');
  });
});
