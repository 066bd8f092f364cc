import type { BrowserContext, Locator, Page } from 'playwright-core';
import { createPaymentsClient, type PaymentsClient } from '../../server-kit/index.ts';

export type PanelPage = {
  page: Page;
  /** Follows the link to a section, and waits until it is shown. */
  openSection: (section: string) => Promise<void>;
  /** Opens a record of the section by its id, as a link to it would. */
  openRecord: (section: string, id: string) => Promise<Locator>;
  /** Presses the button of that action, on the whole page or inside `within`. */
  press: (action: string, within?: Locator) => Promise<void>;
  /** Fills in a form and submits it. */
  submit: (form: string, values: Record<string, string | boolean>, within?: Locator) => Promise<void>;
  /** Waits until the panel has reported a matching outcome. */
  untilOutcome: (text: string | RegExp) => Promise<void>;
  /** Errors that the browser reported: script errors and violations of the content security policy. */
  complaints: string[];
};

export async function openPanel(context: BrowserContext, url: string, address = ''): Promise<PanelPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The browser logs refused calls, which some tests cause on purpose.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  await page.goto(`${url}/panel${address}`);
  await page.locator('[data-connection="live"]').waitFor();
  const nav = page.getByRole('navigation');

  return {
    page,
    complaints,
    async openSection(section) {
      await nav.getByRole('link', { name: section }).click();
      await page.getByRole('heading', { level: 2, name: section, exact: true }).waitFor();
    },
    async openRecord(section, id) {
      await page.evaluate(
        (hash) => {
          location.hash = hash;
        },
        `#/${section}/${encodeURIComponent(id)}`,
      );
      const record = page.locator(`.record[data-id="${id}"][data-open="true"]`);
      await record.waitFor();
      return record;
    },
    press: (action, within) => (within ?? page.locator('body')).locator(`[data-action="${action}"]`).click(),
    async submit(name, values, within) {
      const form = (within ?? page.locator('body')).locator(`[data-form="${name}"]`);
      if (!(await form.isVisible())) await form.locator('xpath=ancestor::details/summary').click();
      for (const [field, value] of Object.entries(values)) {
        const control = form.locator(`[name="${field}"]`);
        if (typeof value === 'boolean') await control.setChecked(value);
        else if ((await control.evaluate((element) => element.tagName)) === 'SELECT')
          await control.selectOption(value);
        else await control.fill(value);
      }
      await form.locator('button[type="submit"]').click();
    },
    async untilOutcome(text) {
      await page.locator('[data-field="outcome"]', { hasText: text }).waitFor();
    },
  };
}

/** Waits until a record's line shows this status. */
export const untilStatus = (record: Locator, status: string): Promise<void> =>
  record.locator(`.record-link [data-field="status"][data-status="${status}"]`).waitFor();

/** The merchant's client of the demo's sandbox. */
export const createClient = (demoUrl: string, apiSecret = 'sk_test_sandbox'): PaymentsClient =>
  createPaymentsClient({ baseUrl: `${demoUrl}/service`, apiSecret, maxRetries: 0 });

export const initiate = (demoUrl: string, reference: string, callbackUrl?: string) =>
  createClient(demoUrl).payments.initiate({
    reference,
    paymentMethod: 'pay_with_transfer',
    amount: { value: 1_250_000, currency: 'NGN' },
    customer: { email: 'ada@example.com', name: 'Ada Obi' },
    ...(callbackUrl !== undefined && { callbackUrl }),
  });

export const createLink = (demoUrl: string, reference: string) =>
  createClient(demoUrl).checkout.create({
    reference,
    amount: { value: 1_250_000, currency: 'NGN' },
    returnUrl: `${demoUrl}/?returned`,
    callbackUrl: 'http://localhost:9/callbacks',
  });
