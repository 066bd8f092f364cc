import { describe, expect, vi } from 'vitest';
import { drivenTest } from '../driven-test.ts';
import type { JourneyBrowser, JourneyPage } from '../journey-page.ts';
import { card, complaintsOf, number, press, read, until } from '../journey-steps.ts';
import { digitsOf, scriptTag } from '../shop-page.ts';
import { element, type Hostility, hostilities } from './hostilities.ts';
import { type PageShop, startPageShop } from './page-shop.ts';

/** The screen that keeps trying, or the placeholder that offers to try again. */
const failure = '[data-state=unavailable], p[role=alert]:not(:empty)';

/** Adds the page of a hostility to a shop, with an order of its own. Returns its address. */
function addPage(
  shop: PageShop,
  { before, tag = scriptTag, body = element }: Hostility,
  orderId: string,
): string {
  const attributes = (prefix: string): string =>
    `${prefix}base-url="/checkout" ${prefix}body='{"orderId":"${orderId}"}'`;
  const markup = body
    .replaceAll('data-transfer-checkout OPTIONS', `data-transfer-checkout ${attributes('data-')}`)
    .replaceAll('OPTIONS', attributes(''));
  const script = before ? `<script>{${before}}</script>` : '';
  return shop.addPage(
    `/${orderId}`,
    `<!doctype html><html lang="en"><head><title>Pay</title><link rel="icon" href="data:,"><script src="/watch.js"></script>${script}${tag}</head><body>${markup}</body></html>`,
  );
}

/** Opens the page, or a page of another origin with the page in a frame. */
async function openPage(
  page: JourneyPage,
  shop: PageShop,
  hostility: Hostility,
  orderId: string,
): Promise<void> {
  const address = addPage(shop, hostility, orderId);
  if (hostility.frame === undefined) return page.open(address);
  const outer = shop.addPage(
    `/${orderId}-outer`,
    `<!doctype html><iframe ${hostility.frame} src="${address}" style="width: 100%; height: 700px"></iframe>`,
  );
  await page.open(outer.replace('127.0.0.1', 'localhost'));
  await expect.poll(() => page.evaluate(() => document.readyState)).toBe('complete');
  await page.enterFrame();
}

/** Returns the page's markup with all shadow roots, its address and its cookies. */
const shownBy = (page: JourneyPage): Promise<string> =>
  page.evaluate(() => {
    const textOf = (node: Node): string =>
      [
        ...(node instanceof Element
          ? [...node.attributes].map(({ value }) => value)
          : [node.nodeValue ?? '']),
        ...[...node.childNodes].map(textOf),
        ...(node instanceof Element && node.shadowRoot ? [textOf(node.shadowRoot)] : []),
      ].join('\n');
    return `${location.href}\n${document.cookie}\n${textOf(document)}`;
  });

/** The tests of hostile pages in one browser. Skipped when the browser is not installed. */
export function describeHostilePages(
  name: string,
  start: (() => Promise<JourneyBrowser>) | undefined,
  { retry = 0, pages = hostilities }: { retry?: number; pages?: readonly Hostility[] } = {},
): void {
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the fixture's dependencies from the pattern
  const it = drivenTest(name, start).extend('shop', { scope: 'file' }, async ({}, { onCleanup }) => {
    const shop = await startPageShop();
    onCleanup(shop.close);
    return shop;
  });

  describe.skipIf(!start)(`a shopper in ${name} on a hostile page`, { retry }, () => {
    // Not `$name`, which the runner cuts at 40 characters.
    it.for(pages.map((page) => [page.name, page] as const))(
      'gets to "received", or sees a clear sentence, where %s',
      async ([, hostility], { shop, driven, task }) => {
        const orderId = `order-${hostilities.indexOf(hostility)}-${task.result?.retryCount ?? 0}`;
        const page = await driven.newPage(360);
        await openPage(page, shop, hostility, orderId);
        if (hostility.press) await press(page, hostility.press);
        if (hostility.sentence) await until(page, failure, hostility.sentence);
        else await payOn(page, shop, hostility);
        // The developer is told why there is no account.
        const complaints = await complaintsOf(page);
        expect(complaints.filter((one) => !hostility.sentence || !/^CheckoutError: /.test(one))).toEqual([]);
      },
    );
  });
}

/** Runs a script as one of the page. */
const runScript = (textContent: string): void =>
  document.head.append(Object.assign(document.createElement('script'), { textContent: `{${textContent}}` }));

/** Pays into the account that the page shows, which is the order's only one, until the page says that it is received. */
async function payOn(
  page: JourneyPage,
  { shop, requested }: PageShop,
  { meanwhile }: Hostility,
): Promise<void> {
  const shownPayment = async () => {
    const accountNumber = digitsOf(await read(page, number));
    return shop.sandbox.control.listPayments().find((one) => one.accountNumber === accountNumber);
  };
  // The page may replace the card at any moment.
  const payment = await vi.waitUntil(shownPayment, { timeout: 30_000 });
  if (meanwhile) await page.evaluate(runScript, meanwhile);
  await shop.pay(payment);
  await until(page, card('succeeded'), / received/);
  expect(`${await shownBy(page)}${requested.join('\n')}`).not.toContain('cs_test_');
}
