import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { hrefOf, type SectionId, sectionTitles } from '../../server-kit/tools/sandbox/pages/panel/route.ts';
import { builtServer, type DemoProcess, startDemo } from '../setup/demo-process.ts';
import { findViolations, wcagRules } from './axe.ts';
import { it } from './browser-test.ts';
import { createClient, openPanel } from './panel-page.ts';
import { control } from './shop-page.ts';

const sections = Object.keys(sectionTitles) as SectionId[];

let demo: DemoProcess;
beforeAll(async () => {
  demo = await startDemo(builtServer);
  await fill(demo.url);
});
afterAll(() => demo.stop());

/** A record in each section, with long texts, and an active fault. */
async function fill(url: string): Promise<void> {
  const callbackUrl = `${url}/no-such-page/with-a-rather-long-name-that-does-not-fit-a-phone/callbacks`;
  const { accountNumber } = await createClient(url).payments.initiate({
    reference: 'a-reference-that-is-longer-than-a-phone-is-wide-0123456789-0123456789',
    paymentMethod: 'pay_with_transfer',
    amount: { value: 123_456_789_000, currency: 'NGN' },
    customer: {
      email: 'chimamanda.adichie.obiechina@a-rather-long-domain.example',
      name: 'Chimamanda Adichie',
    },
    callbackUrl,
  });
  await control(url, 'transfers', { accountNumber, amount: 1 });
  await createClient(url, 'sk_wrong')
    .payments.verify('nothing')
    .catch(() => {});
  await control(url, 'faults', { operation: 'payouts.list', status: 503, probability: 0.5 });
  await control(url, 'faults', { operation: 'apps.update', status: 'timeout', probability: 0.5 });
  await control(url, 'callback_delivery', { delaySeconds: 5 });
  await control(url, 'clock', { advanceSeconds: 93_900, frozen: true });
}

/** Opens a section with its newest record. */
async function show(page: Page, section: SectionId): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, hrefOf(section));
  await page.getByRole('heading', { level: 2, name: sectionTitles[section], exact: true }).waitFor();
  const link = page.locator('.record-link').first();
  if (await link.count()) await link.click();
}

/** Opens every folded part, also the menu of the clock, which covers what is below it. */
const openAllDetails = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

const everyRule = [...wcagRules, 'best-practice'];

describe('each section of the panel', () => {
  it('has no axe violations, fits into 360 px, and has targets large enough for a thumb', async ({
    newShopper,
  }) => {
    const { page, complaints } = await openPanel(await newShopper({ colorScheme: 'light' }), demo.url);
    for (const section of sections) {
      await show(page, section);
      await openAllDetails(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      const violations = await findViolations(page, everyRule);
      const small = await findSmallTargets(page);
      expect({ section, width, violations, small }).toEqual({
        section,
        width: 360,
        violations: [],
        small: [],
      });
    }
    expect(complaints).toEqual([]);
  });

  it('has enough contrast in dark mode', async ({ newShopper }) => {
    const { page } = await openPanel(await newShopper({ colorScheme: 'dark' }), demo.url);
    for (const section of sections) {
      await show(page, section);
      await openAllDetails(page);
      const violations = await findViolations(page, ['color-contrast']);
      expect({ section, violations }).toEqual({ section, violations: [] });
    }
  });
});

/** Returns targets lower than 24 px. A checkbox includes its label; links within a sentence are exempt. */
const findSmallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button:not(.skip), input:not([type="checkbox"]), select, summary, nav a')]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 24)
      .map((element) => element.outerHTML.slice(0, 160)),
  );
