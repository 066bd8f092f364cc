import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { it } from './browser-test.ts';
import { control, digitsOf, hold, openShop } from './shop-page.ts';

/** Has the server render it in this density. */
async function renderIn(page: Page, density: string): Promise<void> {
  await page.route('**/rendered', async (route) => {
    const answer = await route.fetch();
    const html = await answer.text();
    const body = html.replace('<transfer-checkout ', `<transfer-checkout density="${density}" `);
    await route.fulfill({ response: answer, body });
  });
}

/** Where the account and its card stand, in whole pixels. */
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

describe('a checkout that the server has rendered', () => {
  it('can be read and paid without any script', async ({ newShopper }) => {
    const context = await newShopper({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${inject('demoUrl')}/rendered`);
    const number = page.locator('[data-field="accountNumber"]');
    await number.waitFor();
    await page.getByText(/Pay by .*GMT\+1\. Load this page again/).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    const accountNumber = digitsOf(await number.innerText());
    await control(inject('demoUrl'), 'transfers', { accountNumber, amount: 1_250_000 });
    await expect
      .poll(
        async () => {
          await page.reload();
          return page.locator('transfer-checkout').getAttribute('data-state');
        },
        { timeout: 30_000 },
      )
      .toBe('succeeded');
    await page.getByText('Payment received').first().waitFor();
  });

  it.for(['comfortable', 'compact'])(
    'is taken over by the script where it stands, %s, without a flash',
    async (density, { newShopper }) => {
      const context = await newShopper();
      const page = await context.newPage();
      const letGo = await hold(page, '**/package/checkout.js');
      await renderIn(page, density);
      await page.goto(`${inject('demoUrl')}/rendered`, { waitUntil: 'commit' });
      await page.locator('[data-field="accountNumber"]').waitFor();
      await expect.poll(async () => (await places(page))[0]?.[3]).toBeGreaterThan(200);
      const before = await places(page);
      const number = await page.locator('[data-field="accountNumber"]').innerText();
      await page.evaluate(() => {
        const seen: string[] = [];
        const root = document.querySelector('transfer-checkout')?.shadowRoot as ShadowRoot;
        Object.assign(window, { seen });
        const look = (): void => {
          seen.push(root.querySelector('[data-field="accountNumber"]')?.textContent ?? 'nothing');
          requestAnimationFrame(look);
        };
        look();
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

  it('is taken over also where the script comes while the page is still being read', async ({
    newShopper,
  }) => {
    const page = await (await newShopper()).newPage();
    // A browser reads no further than a style sheet that has not come.
    const letGo = await hold(page, '**/package/checkout.css');
    const going = page.goto(`${inject('demoUrl')}/rendered`);
    await page.waitForFunction(() => {
      const root = document.querySelector('transfer-checkout')?.shadowRoot;
      return root && customElements.get('transfer-checkout') && !root.querySelector('[data-rendered]');
    });
    letGo();
    await going;
    await page.waitForFunction(
      () =>
        document.querySelector('transfer-checkout')?.shadowRoot?.querySelector('[role="timer"]')?.textContent,
    );
    expect(await page.getByText('Getting your account number').count()).toBe(0);
    expect(await page.locator('[data-field="accountNumber"]').count()).toBe(1);
    const tops = await page.evaluate(() => {
      const host = document.querySelector('transfer-checkout');
      return [host, host?.shadowRoot?.querySelector('.card')].map((at) => at?.getBoundingClientRect().top);
    });
    expect(tops[1]).toBe(tops[0]);
  });

  it('follows the payment from then on, under a strict policy, and holds no secret', async ({
    newShopper,
  }) => {
    const { page, field, text, untilState, complaints, requested } = await openShop(
      await newShopper(),
      inject('demoUrl'),
      '/rendered',
    );
    await page.waitForFunction(() => localStorage.getItem('transfer-checkout') !== null);
    const accountNumber = digitsOf(await text('accountNumber'));
    await field('accountNumber').waitFor();
    await control(inject('demoUrl'), 'transfers', { accountNumber, amount: 1_250_000 });
    await untilState('succeeded');
    expect(complaints).toEqual([]);
    expect(requested.filter((url) => !url.startsWith(inject('demoUrl')))).toEqual([]);
    const html = await (await page.request.get(`${inject('demoUrl')}/rendered`)).text();
    expect(html).not.toMatch(/cs_test_|clientSecret/);
  });

  it('stays readable where the script cannot be loaded', async ({ newShopper }) => {
    const page = await (await newShopper()).newPage();
    await page.route('**/package/checkout-*', (route) => route.abort());
    await page.goto(`${inject('demoUrl')}/rendered`);
    const failed = page.waitForEvent('console', (message) =>
      /load_failed|could not be loaded/.test(message.text()),
    );
    await failed;
    expect(digitsOf(await page.locator('[data-field="accountNumber"]').innerText())).toHaveLength(10);
  });
});
