import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { it } from './browser-test.ts';
import { control, digitsOf, hold } from './shop-page.ts';

/** Serves the page as if its server had rendered it with this density. */
const renderIn = (page: Page, density: string) =>
  page.route('**/rendered', async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const body = html
      .replace('<transfer-checkout ', `<transfer-checkout density="${density}" `)
      .replace('data-theme=', `data-density="${density}" data-theme=`);
    await route.fulfill({ response, body });
  });

/** Waits for the style sheets of the page and of the server-rendered content. */
const untilStyled = (page: Page) =>
  page.waitForFunction(() => {
    const root = document.querySelector('transfer-checkout')?.shadowRoot;
    const links = [document, root].flatMap((at) => [
      ...(at?.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]') ?? []),
    ]);
    return links.length === 2 && links.every(({ sheet }) => sheet);
  });

/** Returns the position of the account and its card, in whole pixels. */
const places = (page: Page) =>
  page.evaluate(() => {
    const root = document.querySelector('transfer-checkout')?.shadowRoot;
    return ['.card', 'h2', 'dl', '[data-field="accountNumber"]', '.actions', '.foot'].map((selector) => {
      const box = root?.querySelector(selector)?.getBoundingClientRect();
      return (
        box &&
        [selector, box.x, box.y, box.width, box.height].map((side) =>
          typeof side === 'number' ? Math.round(side) : side,
        )
      );
    });
  });

describe('a server-rendered checkout', () => {
  it('can be read and paid without scripts', async ({ newShopper }) => {
    const context = await newShopper({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${inject('demoUrl')}/rendered`);
    const number = page.locator('[data-field="accountNumber"]');
    await number.waitFor();
    await page.getByText(/Pay by .*GMT\+1\. Reload this page/).waitFor();
    expect(await page.locator('transfer-checkout').getByRole('button').count()).toBe(0);
    const accountNumber = digitsOf(await number.innerText());
    await control(inject('demoUrl'), 'transfers', { accountNumber, amount: 1_250_000 });
    await expect
      .poll(async () => {
        await page.reload();
        return page.locator('.card').getAttribute('data-state');
      })
      .toBe('succeeded');
    await page
      .getByText(/ received$/)
      .first()
      .waitFor();
  });

  it.for(['comfortable', 'compact'])(
    'is taken over by the script in place, %s, without a flash',
    async (density, { newShopper }) => {
      // As in the shop, whose times have their day near midnight, too.
      const context = await newShopper({ timezoneId: 'Africa/Lagos' });
      const page = await context.newPage();
      const letGo = await hold(page, '**/package/checkout.js');
      await renderIn(page, density);
      await page.goto(`${inject('demoUrl')}/rendered`, { waitUntil: 'commit' });
      await page.locator('[data-field="accountNumber"]').waitFor();
      await untilStyled(page);
      const before = await places(page);
      const number = await page.locator('[data-field="accountNumber"]').innerText();
      await page.evaluate(() => {
        const seen: string[] = [];
        const root = document.querySelector('transfer-checkout')?.shadowRoot as ShadowRoot;
        Object.assign(window, { seen });
        const record = (): void => {
          seen.push(root.querySelector('[data-field="accountNumber"]')?.textContent ?? 'nothing');
          requestAnimationFrame(record);
        };
        record();
      });
      letGo();
      await page.waitForFunction(() =>
        /\d/.test(
          document.querySelector('transfer-checkout')?.shadowRoot?.querySelector('[data-field="countdown"]')
            ?.textContent ?? '',
        ),
      );
      expect(await places(page)).toEqual(before);
      const seen = await page.evaluate(() => [...new Set((window as unknown as { seen: string[] }).seen)]);
      expect(seen).toEqual([number]);
      expect(await page.locator('[data-rendered]').count()).toBe(0);
    },
  );
});
