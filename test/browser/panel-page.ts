import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

export type PanelPage = {
  page: Page;
  /** Goes to a section by its link, and waits until it is there. */
  visit: (section: string) => Promise<void>;
  /** Opens a record of the section by its id, as a link to it would. */
  openRecord: (section: string, id: string) => Promise<Locator>;
  /** Presses the button of that action, in the whole page or inside of `within`. */
  press: (action: string, within?: Locator) => Promise<void>;
  /** Fills a form in and sends it. */
  submit: (form: string, values: Record<string, string | boolean>, within?: Locator) => Promise<void>;
  /** Waits until the panel has reported something like it. */
  untilSaid: (text: string | RegExp) => Promise<void>;
  /** What the browser complained of: errors of scripts, refusals of the content security policy. */
  complaints: string[];
};

export async function openPanel(context: BrowserContext, url: string, address = ''): Promise<PanelPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // A refused call is logged by the browser itself, and is what some tests are about.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  await page.goto(`${url}/panel${address}`);
  await page.locator('[data-connection="live"]').waitFor();
  const nav = page.getByRole('navigation');

  return {
    page,
    complaints,
    async visit(section) {
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
    async untilSaid(text) {
      await page.locator('[data-field="outcome"]', { hasText: text }).waitFor();
    },
  };
}

/** The status that a record shows in its line. */
export const statusOf = (record: Locator): Locator => record.locator('.record-link [data-field="status"]');

export const untilStatus = async (record: Locator, status: string): Promise<void> =>
  expect.poll(() => statusOf(record).getAttribute('data-status'), { timeout: 10_000 }).toBe(status);
