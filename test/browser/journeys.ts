import { describe, expect, inject, onTestFinished } from 'vitest';
import { drivenTest } from './driven-test.ts';
import { screens } from './gallery-page.ts';
import { serveHostedDemo } from './hosted-demo.ts';
import type { JourneyBrowser, JourneyPage } from './journey-page.ts';
import {
  card,
  complaintsOf,
  isAboveAll,
  isStyled,
  nameFocused,
  notePlaces,
  number,
  pay,
  press,
  read,
  showScreen,
  until,
} from './journey-steps.ts';
import { control, digitsOf } from './shop-page.ts';
import { startWatchedDemo, type WatchedDemo } from './watched-demo.ts';

/** A test function with one such browser for each file. Pages end with their test. */
const journeysIn = (name: string, start: (() => Promise<JourneyBrowser>) | undefined) =>
  drivenTest(name, start)
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the fixture's dependencies from the pattern
    .extend('watch', ({}, { onCleanup }) => {
      const demos: WatchedDemo[] = [];
      onCleanup(async () => void (await Promise.all(demos.map((demo) => demo.close()))));
      return async (url = inject('demoUrl')): Promise<WatchedDemo> => {
        const demo = await startWatchedDemo(url);
        demos.push(demo);
        return demo;
      };
    })
    /** Opens a page of the shared demo as a new shopper. */
    .extend('open', ({ driven, watch }) => async (path: string, width = 360): Promise<JourneyPage> => {
      const page = await driven.newPage(width);
      await page.open((await watch()).url + path);
      return page;
    });

/** The tests that every browser must pass. Skipped when the browser is not installed. */
export function describeJourneys(
  browser: string,
  start: (() => Promise<JourneyBrowser>) | undefined,
  retry = 0,
): void {
  const it = journeysIn(browser, start);

  describe.skipIf(!start)(`the journeys in ${browser}`, { retry }, () => {
    it('a shopper pays by bank transfer, and sees it succeed', async ({ open }) => {
      const page = await open('/');
      await press(page, '#pay');
      await until(page, card('awaitingTransfer'));
      expect(digitsOf(await read(page, number))).toMatch(/^\d{10}$/);
      await pay(page);
      await until(page, card('succeeded'), / received/);
      expect(await complaintsOf(page)).toEqual([]);
    });

    it('the hosted demo takes a payment, with its server in a service worker', async ({ driven, watch }) => {
      const site = await serveHostedDemo();
      onTestFinished(site.close);
      const page = await driven.newPage(360);
      await page.open(`${(await watch(new URL(site.url).origin)).url}/some/where/`);
      await press(page, '#pay');
      await until(page, card('awaitingTransfer'));
      await press(page, '[data-action="send-exactly"]');
      await until(page, card('succeeded'), / received/);
      expect(await complaintsOf(page)).toEqual([]);
    });

    it('the script tag works under a strict policy with Trusted Types, with its styles', async ({ open }) => {
      const page = await open('/script-tag');
      await press(page, '[data-transfer-checkout]');
      await until(page, '[data-action="sent"]');
      expect(await page.evaluate(isStyled)).toBe(true);
      expect(await complaintsOf(page)).toEqual([]);
      // The policy is in force, and its violations are recorded.
      await page.evaluate(() => {
        document.head.append(Object.assign(document.createElement('style'), { textContent: 'p {}' }));
        try {
          document.body.insertAdjacentHTML('beforeend', '<p>');
        } catch {}
      });
      await expect
        .poll(async () => (await complaintsOf(page)).join())
        .toMatch(/style-src.*require-trusted-types-for/);
    });

    it('an account number is copied, or the page says how to copy it', async ({ open }) => {
      const page = await open('/script-tag');
      await press(page, '[data-transfer-checkout]');
      await press(page, '.accountNumber button');
      await until(page, '.accountNumber button', /Copied|Press and hold/);
      expect(await complaintsOf(page)).toEqual([]);
      if (!/Copied/.test(await read(page, '.accountNumber button'))) return;
      await page.evaluate(() => {
        const input = document.body.appendChild(document.createElement('input'));
        input.id = 'paste';
        input.focus();
      });
      await page.pressKey('Control+v');
      const account = digitsOf(await read(page, number));
      await expect
        .poll(() => page.evaluate(() => document.querySelector<HTMLInputElement>('#paste')?.value))
        .toBe(account);
    });

    it('the modal is above everything, keeps the focus, and restores it', async ({ open }) => {
      const page = await open('/script-tag');
      await page.evaluate(() => {
        const button = document.querySelector<HTMLElement>('[data-transfer-checkout]');
        if (button) button.dataset.transferCheckout = '';
      });
      await press(page, '[data-transfer-checkout]');
      await until(page, 'dialog [data-action="sent"]');
      expect(await page.evaluate(isAboveAll)).toEqual({ isModal: true, isAbove: true });
      const focused = new Set<string>();
      for (let presses = 0; presses < 15; presses += 1) {
        await page.pressKey('Tab');
        focused.add(await page.evaluate(nameFocused));
      }
      expect([...focused].filter((name) => name.startsWith('outside'))).toEqual([]);
      expect(focused.size).toBeGreaterThan(5);
      // The browser's own bar may have the focus now. The checkout warns while money may be on its way.
      await page.click('dialog h2');
      await page.pressKey('Escape');
      await press(page, 'dialog .leave .main');
      await pay(page);
      await until(page, `dialog ${card('succeeded')}`);
      await page.pressKey('Escape');
      await expect.poll(() => read(page, 'dialog')).toBe('');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Pay/);
      expect(await complaintsOf(page)).toEqual([]);
    });

    it('a reload finds the same account', async ({ open }) => {
      const page = await open('/');
      await press(page, '#pay');
      await until(page, card('awaitingTransfer'));
      const account = await read(page, number);
      await page.reload();
      await until(page, card('awaitingTransfer'));
      expect(await read(page, number)).toBe(account);
      expect(await complaintsOf(page)).toEqual([]);
    });

    it('the script takes over server-rendered content in place, without a flash', async ({
      driven,
      watch,
    }) => {
      const demo = await watch();
      const letGo = demo.hold('checkout-widget-');
      const page = await driven.newPage(360);
      await page.open(`${demo.url}/rendered`);
      await expect.poll(() => page.evaluate(isStyled)).toBe(true);
      await page.evaluate(notePlaces);
      expect(await read(page, '[data-rendered]')).not.toBe('');
      letGo();
      await until(page, '[data-field="countdown"]', /\d/);
      expect(await read(page, '[data-rendered]')).toBe('');
      expect(await page.evaluate(() => window.places)).toHaveLength(1);
      expect(await complaintsOf(page)).toEqual([]);
    });

    it('a partial payment and an expired account have their screens', async ({
      driven,
      watch,
      startOwnDemo,
    }) => {
      const ownUrl = await startOwnDemo();
      const { url } = await watch(ownUrl);
      const openAccount = async (): Promise<JourneyPage> => {
        const page = await driven.newPage(360);
        await page.open(url);
        await press(page, '#pay');
        await until(page, card('awaitingTransfer'));
        return page;
      };
      const first = await openAccount();
      await until(first, '[data-field="reference"]');
      const acceptedAmountPolicy = 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL';
      await control(ownUrl, `payments/${await read(first, '[data-field="reference"]')}`, {
        acceptedAmountPolicy,
      });
      await pay(first, 500_000, ownUrl);
      await until(first, `${card('partlyPaid')} [data-field="missing"]`, /7,500\.00/);
      expect(await complaintsOf(first)).toEqual([]);
      const second = await openAccount();
      const account = await read(second, number);
      await control(ownUrl, 'clock', { advanceSeconds: 1801 });
      await press(second, `${card('expired')} [data-action="newAccount"]`);
      await until(second, card('awaitingTransfer'));
      expect(await read(second, number)).not.toBe(account);
      expect(await complaintsOf(second)).toEqual([]);
    });

    it.for([
      ['en', 'ltr'],
      ['ar', 'rtl'],
    ] as const)(
      'every screen of the gallery fits into a narrow page: %s',
      async ([locale, dir], { open }) => {
        const page = await open(`/gallery?state=loading`, 320);
        for (const { name } of screens) {
          const query = `?${new URLSearchParams({ state: name, locale })}`;
          const shown = await page.evaluate(showScreen, query);
          expect({ name, ...shown }).toEqual({ name, dir, isEmpty: false, overflow: 0 });
        }
        expect(await complaintsOf(page)).toEqual([]);
      },
    );
  });
}
