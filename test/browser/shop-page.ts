import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';

/** Flags that keep a test browser from talking to anything but the test. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** One real Chromium for the tests of a file. */
export function useBrowser(): { newShopper: (options?: BrowserContextOptions) => Promise<BrowserContext> } {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: inject('chromiumPath'), args: quiet });
  });
  afterAll(() => browser.close());
  return {
    /** A browser profile of its own: its own cookies, and so its own order. */
    async newShopper(options = {}) {
      const context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options });
      context.setDefaultTimeout(20_000);
      onTestFinished(() => context.close());
      return context;
    },
  };
}

export type ShopPage = {
  page: Page;
  /** Presses "Pay by bank transfer". */
  pressPay: () => Promise<void>;
  /** Waits until the widget shows this state. */
  untilState: (state: string) => Promise<void>;
  /** The element of the widget that holds this value. */
  field: (name: string) => Locator;
  text: (name: string) => Promise<string>;
  /** What the browser complained of: errors of scripts, refusals of the content security policy. */
  complaints: string[];
  /** Every URL that the page asked for. */
  requested: string[];
};

export async function openShop(context: BrowserContext, url: string, path = '/'): Promise<ShopPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  const requested: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // A refused or failed request is logged by the browser itself, and is what some tests are about.
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
    untilState: (state) => page.locator(`[data-state="${state}"]`).waitFor(),
    text: async (name) => (await field(name).innerText()).replace(/\s+/g, ' ').trim(),
  };
}

/** Digits only: the account number as a bank app wants it. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** A control call of the sandbox. */
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
