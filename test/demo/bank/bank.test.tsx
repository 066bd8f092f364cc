import type { DetachedWindowAPI } from 'happy-dom';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openBank } from './bank-in-process.tsx';

afterEach(() => void vi.restoreAllMocks());

/** Shows the payment on the page, and waits until the bank knows it. */
async function openPaying() {
  const bank = await openBank();
  bank.onPage.value = { reference: bank.reference };
  await bank.found('[data-action="send-exactly"]');
  return bank;
}

/** The Paste button appears only where the clipboard can be read, so stub it first. */
const stubClipboard = (readText: (() => Promise<string>) | undefined): void =>
  void vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ readText } as Clipboard);

/** Makes the window as narrow as a phone. */
function narrowWindow(): void {
  const { happyDOM } = window as unknown as { happyDOM: DetachedWindowAPI };
  happyDOM.setViewport({ width: 360 });
  onTestFinished(() => happyDOM.setViewport({ width: 1024 }));
}

describe('the bank app', () => {
  it('sends exactly what is left to pay into the account on the page, with one press', async () => {
    const bank = await openBank();
    expect(bank.find('[data-action="send-exactly"]')).toBeNull();
    bank.onPage.value = { reference: bank.reference };
    await bank.untilText('[data-action="send-exactly"]', /^Send exactly ₦12,500\.00$/);
    await bank.press('send-exactly');
    await bank.untilText('[data-result="accepted"]', /Money sent.*₦12,500\.00.*Sandbox Merchant/);
    expect(bank.payment()).toMatchObject({ status: 'succeeded', chargedAmount: 1_250_000 });
    await expect.poll(() => bank.impossible()).toEqual(['exactly', 'less', 'more', 'late']);
    await bank.press('send-exactly');
    expect(bank.payment()).toMatchObject({ chargedAmount: 1_250_000 });
    expect(bank.text('[data-part="announcement"]')).toMatch(/^Demo Bank has sent ₦12,500\.00\.$/);
  });

  it('pastes the account number, and shows whose account it is', async () => {
    let copied = 'nothing yet';
    stubClipboard(async () => copied);
    const { accountNumber, ...bank } = await openBank();
    await bank.press('paste');
    await bank.untilText('.bank-problem', /Copy the account number in the checkout first/);
    copied = `${accountNumber.slice(0, 4)} ${accountNumber.slice(4, 7)} ${accountNumber.slice(7)}`;
    await bank.press('paste');
    await bank.untilText('[data-part="payee"]', /^Sandbox Merchant/);
    expect(bank.text('.bank-payee')).toContain('Sandbox Bank');
    await expect.poll(() => document.activeElement?.textContent).toBe('Check the name');
    await bank.press('change-account');
    await bank.found('[data-step="recipient"]');
  });

  it('looks up a typed number once it has ten digits', async () => {
    const { accountNumber, ...bank } = await openBank();
    await bank.type('accountNumber', accountNumber.slice(0, 9));
    await bank.type('accountNumber', '0000000000');
    await bank.untilText('.bank-problem', /No account has this number/);
    expect(bank.find('[name="accountNumber"]')?.getAttribute('aria-invalid')).toBe('true');
    await bank.type('accountNumber', accountNumber);
    await bank.found('[data-step="amount"]');
  });

  it('shows why the bank returned another amount', async () => {
    const { accountNumber, ...bank } = await openBank();
    await bank.type('accountNumber', accountNumber);
    await bank.type('amount', '11,500.00');
    await bank.press('send');
    await bank.untilText('[data-result="returned"] [data-part="result"]', /accepts exactly ₦12,500\.00 now/);
    expect(bank.payment()).toMatchObject({ chargedAmount: 0 });
    await bank.press('back');
    await bank.found('[data-step="recipient"]');
  });

  it.each([
    ['less', 'awaiting_charge', 1_150_000, 'Watch the checkout'],
    ['more', 'succeeded', 1_350_000, 'Watch the checkout'],
    ['late', 'succeeded', 1_250_000, 'Watch the checkout'],
    ['twice', 'succeeded', 2_500_000, 'Watch the checkout'],
    ['returned', 'reversed', 1_250_000, '₦12,500.00 came back to you.'],
  ])('pays %s with one press: the payment is %s', async (name, status, chargedAmount, told) => {
    const bank = await openPaying();
    await bank.press(`send-${name}`);
    await expect.poll(bank.payment).toMatchObject({ status, chargedAmount });
    await bank.untilText('[data-part="result"]', told);
    const isLate = bank.sandbox.control.readClock().offsetSeconds > 0;
    expect(isLate).toBe(name === 'late');
  });

  it('moves the time past the end of the account, pays late, and comes back', async () => {
    const bank = await openPaying();
    await bank.press('later');
    await bank.untilText('[data-part="clock"]', /10 min ahead/);
    await bank.press('run-out');
    await expect.poll(() => bank.payment()?.status).toBe('expired');
    await expect.poll(() => bank.find('[data-action="run-out"]')).toBeNull();
    await bank.press('send-exactly');
    await bank.found('[data-result="accepted"]');
    expect(bank.payment()?.status).toBe('succeeded');
    await bank.press('real-time');
    await bank.untilText('[data-part="clock"]', /real time/);
    expect(bank.sandbox.control.readClock().offsetSeconds).toBe(0);
  });

  it('sends once for two presses, and says when the bank does not respond', async () => {
    const bank = await openPaying();
    const { fetch } = bank.sandbox;
    const sent: unknown[] = [];
    bank.respondWith(async (url, init) => {
      if (init?.method === 'POST') sent.push(url);
      throw new TypeError('Failed to fetch');
    });
    const button = await bank.found('[data-action="send-exactly"]');
    button.click();
    button.click();
    await bank.untilText('.bank-problem', /did not respond. Check whether the money has arrived/);
    expect(sent).toHaveLength(1);
    bank.respondWith(fetch);
    button.click();
    await bank.found('[data-result="accepted"]');
    expect(bank.payment()?.transfers).toHaveLength(1);
  });

  it('lies below the checkout on a phone, folded, with the exact amount always one press away', async () => {
    narrowWindow();
    const bank = await openPaying();
    const body = await bank.found('.bank-body');
    expect(body.hidden).toBe(true);
    await bank.press('bank-toggle');
    await expect.poll(() => body.hidden).toBe(false);
    expect(bank.find('[data-action="bank-toggle"]')?.getAttribute('aria-expanded')).toBe('true');
    body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await expect.poll(() => body.hidden).toBe(true);
    await bank.press('send-exactly');
    await bank.untilText('.bank-about', /^Money sent$/);
  });
});
