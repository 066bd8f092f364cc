import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { InstalledExample } from './installed-example.ts';

type Options = {
  /** Whether the framework changes pages without a load. */
  readonly hasRouter: boolean;
  /** What a development server may write into the console: everything but warnings and errors. */
  readonly isDevelopment?: boolean;
};

/**
 * Buys, leaves the page of the payment and comes back, pays at the sandbox until the money is received, and does it again. The account stays
 * the same, and the console empty.
 */
export async function payInBrowser(
  context: BrowserContext,
  { pageUrl, sandboxUrl }: InstalledExample,
  { hasRouter, isDevelopment = false }: Options,
): Promise<void> {
  const page = await context.newPage();
  const console: string[] = [];
  page.on('console', (message) => {
    const type = message.type();
    if (!isDevelopment || /error|warning/.test(type)) console.push(`${type}: ${message.text()}`);
  });
  page.on('pageerror', (error) => console.push(String(error)));
  await page.goto(pageUrl);
  await page.getByRole('button', { name: 'Buy' }).click();
  const account = await readAccount(page);
  await page.evaluate('window.isSameDocument = true');
  await leaveAndReturn(page);
  expect(await readAccount(page)).toBe(account);

  await transfer(sandboxUrl, account);
  await page
    .getByText(/ received$/)
    .first()
    .waitFor();
  await leaveAndReturn(page);
  await page
    .getByText(/ received$/)
    .first()
    .waitFor();
  // In development, the test may press a link before its framework has taken over the page.
  if (hasRouter && !isDevelopment) expect(await page.evaluate('window.isSameDocument')).toBe(true);
  expect(console).toEqual([]);
  await page.close();
}

/** Buys, and reads the account. In a context without scripts, the server has rendered it. */
export async function buy(context: BrowserContext, { pageUrl }: InstalledExample): Promise<void> {
  const page = await context.newPage();
  await page.goto(pageUrl);
  await page.getByRole('button', { name: 'Buy' }).click();
  expect(await readAccount(page)).toMatch(/^\d{10}$/);
  await page.close();
}

async function leaveAndReturn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Back to the shop' }).click();
  await page.getByRole('link', { name: 'Your order' }).click();
  await page.waitForURL('**/pay');
}

async function readAccount(page: Page): Promise<string> {
  const text = await page.locator('[data-field="accountNumber"]').first().innerText();
  return text.replace(/\D/g, '');
}

async function transfer(sandboxUrl: string, accountNumber: string): Promise<void> {
  const response = await fetch(`${sandboxUrl}/_sandbox/transfers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accountNumber, amount: 650_000 }),
  });
  expect(response.status).toBe(200);
}
