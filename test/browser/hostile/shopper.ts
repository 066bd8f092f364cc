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
   * @throws where that takes more than 30 seconds from the end of the fault, and where the page says too early that money was received
   */
  readonly reach: (state: string) => Promise<void>;
  /** As `reach`, for an account to pay into, other than the one shown when the shopper asked for it. */
  readonly requestNewAccount: () => Promise<void>;
  /** Lets every delayed response arrive, after which the screen still has to show this state. */
  readonly stay: (state: string) => Promise<void>;
  /** Presses a button of the checkout once it is offered. */
  readonly press: (action: string) => Promise<void>;
  readonly reload: () => Promise<void>;
  /** Sends money to the account on the screen, and what is left without an amount. */
  readonly pay: (amount?: number) => Promise<void>;
  /** Uncaught errors of the page. */
  readonly errors: readonly string[];
};

/** Reads what the page shows of the checkout. */
function readScreen(page: Page) {
  const isShown = (selector: string): Promise<boolean> => page.locator(selector).first().isVisible();
  return {
    isShown,
    isState: (state: string) => isShown(`.card[data-state=${state}]`),
    /** The digits of the account number; undefined where none is shown. */
    async account(): Promise<string | undefined> {
      const [shown] = await page.locator('[data-field=accountNumber]').allInnerTexts();
      return shown?.replace(/\D/g, '');
    },
    texts: () => page.locator('.card').allInnerTexts(),
  };
}

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

  const screen = readScreen(page);
  const { control } = shop.sandbox;
  const tick = async (): Promise<void> => {
    await network.idle();
    await page.clock.runFor(tickMs);
    network.advance(tickMs);
  };
  const expectTruth = async (): Promise<void> => {
    if (await screen.isState('succeeded'))
      expect(control.listPayments().map(({ status }) => status)).toContain('succeeded');
  };
  const until = async (isReached: () => Promise<boolean>, aim: string): Promise<void> => {
    for (let left = patienceMs; !(await isReached()); ) {
      await expectTruth();
      if (left <= 0) throw new Error(`There is no ${aim}, but: ${await screen.texts()}`);
      // By script, because a button also disappears where the checkout tries again by itself.
      await page.locator(tryAgain).evaluateAll(([button]) => (button as HTMLElement | undefined)?.click());
      await tick();
      if (network.isMended()) left -= tickMs;
    }
    await expectTruth();
  };
  const press = async (action: string): Promise<void> => {
    const selector = `[data-action=${action}]`;
    await until(() => screen.isShown(selector), selector);
    await page.locator(selector).first().click();
  };
  /** A refused secret hides the account, which the shopper has noted. */
  const notedPayment = async () => {
    await expectTruth();
    const shown = await screen.account();
    const payments = control.listPayments();
    const payment =
      shown === undefined ? payments[0] : payments.find(({ accountNumber }) => accountNumber === shown);
    expect(payment, `an account with the number ${shown}`).toBeDefined();
    return { reference: `${payment?.reference}` };
  };

  return {
    page,
    errors,
    press,
    reach: (state) => until(() => screen.isState(state), state),
    async requestNewAccount() {
      const [expired] = control.listPayments();
      await press('newAccount');
      const isNew = async (): Promise<boolean> =>
        (await screen.isState('awaitingTransfer')) &&
        ![undefined, expired?.accountNumber].includes(await screen.account());
      await until(isNew, 'new account');
    },
    async stay(state) {
      while (!network.isMended()) await tick();
      // The page takes a response in by its own clock.
      for (let left = 3; left > 0; left--) await tick();
      expect(await screen.isState(state), `${await screen.texts()}`).toBe(true);
    },
    reload: async () => void (await page.reload({ waitUntil: 'domcontentloaded' })),
    pay: async (amount) =>
      void (await shop.pay(await notedPayment(), amount === undefined ? {} : { amount })),
  };
}
