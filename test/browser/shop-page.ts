import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect, inject, vi } from 'vitest';

export type ShopPage = {
  page: Page;
  /** Presses "Pay by bank transfer". */
  pressPay: () => Promise<void>;
  /** Waits until the widget shows this state. */
  untilState: (state: string) => Promise<void>;
  /** The widget's element with this value. */
  field: (name: string) => Locator;
  text: (name: string) => Promise<string>;
  /** Script errors and violations of the content security policy. */
  complaints: string[];
  /** Every URL that the page has requested. */
  requested: string[];
};

export async function openShop(context: BrowserContext, url: string, path = '/'): Promise<ShopPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  const requested: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The browser logs failed requests itself, and some tests cause them.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(url + path);
  const field = (name: string): Locator => page.locator(`[data-field="${name}"]`).first();
  return {
    page,
    field,
    complaints,
    requested,
    pressPay: () => page.getByRole('button', { name: 'Pay by bank transfer' }).click(),
    untilState: (state) => page.locator(`[data-state="${state}"]`).first().waitFor(),
    text: async (name) => (await field(name).innerText()).replace(/\s+/g, ' ').trim(),
  };
}

/** Returns to the page as from another app: the widget checks the payment at once, even during a held request. */
const comeBack = ({ page }: Pick<ShopPage, 'page'>): Promise<unknown> =>
  page.evaluate(() => dispatchEvent(new Event('pageshow')));

/** Returns to the page repeatedly until it shows this: late money is checked for rarely. */
export const untilFound = (shop: Pick<ShopPage, 'page'>, selector: string): Promise<void> =>
  vi.waitFor(
    async () => {
      await comeBack(shop);
      await shop.page.locator(selector).first().waitFor({ timeout: 3000 });
    },
    { timeout: 30_000 },
  );

/** Gives a browser its cart, as the shop's front page does, for pages that do not. */
async function giveCart(context: BrowserContext, url: string): Promise<void> {
  const [cookie = ''] = (await fetch(url)).headers.getSetCookie();
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  await context.addCookies([{ name, value, url }]);
}

export const scriptTag = '<script src="/package/checkout.js" async></script>';

export type PageParts = {
  /** By default the script tag. */
  readonly head?: string;
  readonly body: string;
  /** The page's content security policy. */
  readonly policy?: string;
};

/** Opens a page of the shop's site with only this content, as a shopper who has a cart. */
export async function openContent(
  context: BrowserContext,
  { head = scriptTag, body, policy }: PageParts,
): Promise<ShopPage> {
  const url = inject('demoUrl');
  await context.route(`${url}/a-page`, (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      headers: policy === undefined ? {} : { 'content-security-policy': policy },
      body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>A page</title>${head}<body>${body}</body></html>`,
    }),
  );
  await giveCart(context, url);
  return openShop(context, url, '/a-page');
}

/** Holds the responses of these addresses until the returned function is called. */
export async function hold(place: Page | BrowserContext, addresses: string | RegExp): Promise<() => void> {
  let letGo = (): void => {};
  const isFree = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await place.route(addresses, async (route) => {
    await isFree;
    await route.continue();
  });
  return () => letGo();
}

/** Sets the browser to save data. */
export const saveData = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'connection', { get: () => ({ saveData: true }) }),
  );

/** Returns only the digits, as a bank app expects an account number. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** Pays into the account that the page shows. `amount` is in kobo. */
export async function pay(
  { text }: Pick<ShopPage, 'text'>,
  amount = 1_250_000,
  url = inject('demoUrl'),
): Promise<void> {
  await control(url, 'transfers', { accountNumber: digitsOf(await text('accountNumber')), amount });
}

/** Calls a control route of the sandbox. */
export async function control(url: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${url}/service/_sandbox/${path}`, {
    ...(body !== undefined && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  expect(response.status).toBe(200);
  return response.json();
}
