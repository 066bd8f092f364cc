import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestShop } from '../../../server-kit/tools/testing/index.ts';
import type { FaultyNetwork } from './faulty-network.ts';

/** How long after the network is back the page may still be wrong. */
const patienceMs = 30_000;
const tickMs = 1000;

const tryAgain = '[data-action=tryAgain], p[role=alert] button';

export type Shopper = {
  readonly page: Page;
  /**
   * Waits until the screen shows this state, by the page's own clock, and presses "Try again" wherever it is offered.
   *
   * @throws where that takes more than 30 seconds from the end of the fault
   */
  readonly reach: (state: string) => Promise<void>;
  /** Presses a button of the checkout once it is offered. */
  readonly press: (action: string) => Promise<void>;
  readonly reload: () => Promise<void>;
  /** Sends money to the account on the screen, and what is left without an amount. */
  readonly pay: (amount?: number) => Promise<void>;
  /** Uncaught errors of the page. */
  readonly errors: readonly string[];
};

/** Opens the shop as a new shopper, on a page whose clock the test advances. */
export async function openAsShopper(
  context: BrowserContext,
  shop: TestShop,
  network: FaultyNetwork,
  address: string,
): Promise<Shopper> {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.clock.install();
  await page.goto(address, { waitUntil: 'domcontentloaded' });

  const isShown = (selector: string): Promise<boolean> => page.locator(selector).first().isVisible();
  const tick = async (): Promise<void> => {
    await network.idle();
    await page.clock.runFor(tickMs);
    network.advance(tickMs);
  };
  const until = async (selector: string): Promise<void> => {
    for (let left = patienceMs; !(await isShown(selector)); ) {
      if (left <= 0)
        throw new Error(`There is no ${selector}, but: ${await page.locator('body').innerText()}`);
      // By script, because a button also disappears where the checkout tries again by itself.
      await page.locator(tryAgain).evaluateAll(([button]) => (button as HTMLElement | undefined)?.click());
      await tick();
      if (network.isMended()) left -= tickMs;
    }
  };
  /** A refused secret hides the account, which the shopper has noted. */
  const notedPayment = async () => {
    const [shown] = await page.locator('[data-field=accountNumber]').allInnerTexts();
    const payments = shop.sandbox.control.listPayments();
    const payment =
      shown === undefined
        ? payments[0]
        : payments.find(({ accountNumber }) => accountNumber === shown.replace(/\D/g, ''));
    expect(payment, `an account with the number ${shown}`).toBeDefined();
    return { reference: `${payment?.reference}` };
  };

  return {
    page,
    errors,
    reach: (state) => until(`.card[data-state=${state}]`),
    async press(action) {
      await until(`[data-action=${action}]`);
      await page.locator(`[data-action=${action}]`).first().click();
    },
    reload: async () => void (await page.reload({ waitUntil: 'domcontentloaded' })),
    pay: async (amount) =>
      void (await shop.pay(await notedPayment(), amount === undefined ? {} : { amount })),
  };
}
