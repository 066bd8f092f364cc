import type { Browser } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { Site } from './markup-site.ts';
import { isMarked, markupTests, shownAccount } from './markup-tests.ts';

const element = '<transfer-checkout base-url="/checkout"></transfer-checkout>';
const tag = '<script nonce="n" src="/package/checkout.js"></script>';
const strictDynamic = "script-src 'nonce-n' 'strict-dynamic'";

/** The tests of what a page's markup may decide. Skipped when the browser is not installed. */
export function describeMarkup(name: string, launch: (() => Promise<Browser>) | undefined): void {
  const it = markupTests(launch ?? (() => Promise.reject(new Error(`There is no ${name}.`))));

  describe.skipIf(!launch)(`markup in ${name}`, () => {
    describe('the script that a page runs', () => {
      const clobbering = (foreign: Site): string[] => [
        `<img name="currentScript" src="${foreign.url}/x.js">`,
        `<embed name="currentScript" src="${foreign.url}/x.js">`,
        `<form name="currentScript"><input name="src" value="${foreign.url}/x.js"></form>`,
      ];

      it.for([
        [0, undefined],
        [0, strictDynamic],
        [1, undefined],
        [1, strictDynamic],
        [2, undefined],
      ] as const)(
        'is not chosen by markup named document.currentScript: %s, policy %s',
        async ([index, csp], { shop, foreign, open }) => {
          const shown = await open({ html: `${clobbering(foreign)[index]}${tag}${element}`, csp });
          expect(await shownAccount(shown)).toBe(shop.accountNumber);
          expect(await isMarked(shown)).toBe(false);
        },
      );

      it('is not chosen by another tag where a module reads its own', async ({ shop, foreign, open }) => {
        const inert = `<script type="text/plain" src="${foreign.url}/lib/checkout.js"></script>`;
        const module = '<script type="module" src="/package/checkout.js"></script>';
        const shown = await open({ html: `${inert}${module}${element}` });
        expect(await shownAccount(shown)).toBe(shop.accountNumber);
        expect(await isMarked(shown)).toBe(false);
      });

      it.for(['/package/checkout.js', 'package/checkout.js'])(
        'is not chosen by a base: a script at %s',
        async (src, { shop, foreign, open }) => {
          const html = `<script src="${src}" async></script><base href="${foreign.url}/">${element}`;
          const shown = await open({ html });
          expect(await shownAccount(shown)).toBe(shop.accountNumber);
          expect(await isMarked(shown)).toBe(false);
        },
      );

      it('finds its files on another origin', async ({ shop, foreign, open }) => {
        const html = `<script src="${foreign.url}/package/checkout.js" async></script>${element}`;
        expect(await shownAccount(await open({ html }))).toBe(shop.accountNumber);
      });
    });

    describe('the global of the script', () => {
      it.for([
        '<a id="TransferCheckout"></a>',
        '<a id="TransferCheckout"></a><a id="TransferCheckout" name="mountCheckout"></a>',
        '<iframe name="TransferCheckout" src="FOREIGN"></iframe>',
      ])('is not replaced by %s', async (markup, { shop, foreign, open }) => {
        const button = '<button data-transfer-checkout>Pay</button>';
        const shown = await open({
          html: `${markup.replace('FOREIGN', `${foreign.url}/page`)}${tag}${button}`,
        });
        await shown.page.getByRole('button', { name: 'Pay' }).click();
        expect(await shownAccount(shown)).toBe(shop.accountNumber);
      });

      it('leaves the buttons to the first of two real tags', async ({ shop, open }) => {
        const html = `${tag}${tag}<button data-transfer-checkout>Pay</button>`;
        const shown = await open({ html });
        await shown.page.getByRole('button', { name: 'Pay' }).click();
        expect(await shownAccount(shown)).toBe(shop.accountNumber);
        expect(shop.checkoutRequests.filter((one) => one.startsWith('POST'))).toHaveLength(1);
        expect(await shown.page.locator('dialog').count()).toBe(1);
      });
    });

    describe('a foreign server', () => {
      const button = (url: string): string =>
        `<button data-transfer-checkout data-base-url="${url}/checkout">Pay</button>`;

      it('is not chosen by a button', async ({ foreign, open }) => {
        const shown = await open({ html: `${tag}${button(foreign.url)}` });
        await shown.page.getByRole('button', { name: 'Pay' }).click();
        await shown.page.getByText('Try again, or ask the shop for help').waitFor();
        await expect.poll(() => shown.logged.join()).toContain(`to allow ${foreign.url} in markup`);
        expect(foreign.checkoutRequests).toEqual([]);
      });

      it('is not chosen by an element, or by the markup that a server has rendered', async ({
        foreign,
        open,
      }) => {
        const html = `${tag}${element.replace('/checkout"', `${foreign.url}/checkout" data-server-rendered`)}`;
        const shown = await open({ html });
        await shown.page.getByText('Try again, or ask the shop for help').waitFor();
        await expect.poll(() => shown.logged.join()).toContain(`to allow ${foreign.url} in markup`);
        expect(foreign.checkoutRequests).toEqual([]);
      });

      it.for(['//', '/\t/', '\\\\'])(
        'is not chosen by a path that begins with %j',
        async (start, { foreign, open }) => {
          const shown = await open({ html: `${tag}${button(foreign.url.replace('http://', start))}` });
          await shown.page.getByRole('button', { name: 'Pay' }).click();
          await shown.page.getByText('Try again, or ask the shop for help').waitFor();
          expect(foreign.checkoutRequests).toEqual([]);
        },
      );

      it('is not chosen by a base', async ({ shop, foreign, open }) => {
        const shown = await open({ html: `${tag}<base href="${foreign.url}/">${element}` });
        expect(await shownAccount(shown)).toBe(shop.accountNumber);
        expect(foreign.checkoutRequests).toEqual([]);
      });

      it('is not chosen by a permission that is not on the real tag', async ({ foreign, open }) => {
        const permission = `<img name="currentScript" data-allowed-origins="${foreign.url}">`;
        const shown = await open({ html: `${permission}${tag}${button(foreign.url)}` });
        await shown.page.getByRole('button', { name: 'Pay' }).click();
        await shown.page.getByText('Try again, or ask the shop for help').waitFor();
        expect(foreign.checkoutRequests).toEqual([]);
      });
    });

    describe('another server', () => {
      it('is chosen if the script tag allows it', async ({ foreign, open }) => {
        const allowing = tag.replace(' src', ` data-allowed-origins="https://x.example ${foreign.url}" src`);
        const html = `${allowing}${element.replace('/checkout"', `${foreign.url}/checkout"`)}`;
        expect(await shownAccount(await open({ html }))).toBe(foreign.accountNumber);
      });

      it('is chosen if a script names or allows it', async ({ foreign, open }) => {
        const html = `${tag}<div id="pay"></div><button data-transfer-checkout data-base-url="${foreign.url}/checkout">Pay</button>`;
        const shown = await open({ html });
        await shown.page.evaluate(async (url) => {
          await window.TransferCheckout.mountCheckout(document.querySelector('#pay') as Element, {
            baseUrl: url,
          });
        }, `${foreign.url}/checkout`);
        expect(await shownAccount(shown)).toBe(foreign.accountNumber);
        await shown.page.evaluate((url) => window.TransferCheckout.allowOrigins([url]), foreign.url);
        await shown.page.getByRole('button', { name: 'Pay' }).click();
        await shown.page.locator('dialog [data-field="accountNumber"]').waitFor();
      });
    });

    it('cannot hide the page from the checkout, which polls', async ({ shop, open }) => {
      await open({ html: `<img name="hidden">${tag}${element}` });
      await expect.poll(() => shop.checkoutRequests).toContain('GET ');
    });
  });

  describe.skipIf(!launch)(`a polluted Object.prototype in ${name}`, () => {
    it.for([
      ['foo', 'x'],
      ['body', 'x'],
      ['method', 'DELETE'],
      ['baseUrl', 'https://foreign.example'],
    ] as const)('changes nothing: %s', async ([property, value], { shop, open }) => {
      const script = `<script nonce="n">Object.prototype.${property} = '${value}'</script>`;
      const shown = await open({ html: `${script}${tag}<button data-transfer-checkout>Pay</button>` });
      await shown.page.getByRole('button', { name: 'Pay' }).click();
      expect(await shownAccount(shown)).toBe(shop.accountNumber);
      await expect.poll(() => shop.checkoutRequests).toEqual(['POST {}', 'GET ']);
      expect(shown.logged).toEqual([]);
    });
  });

  describe.skipIf(!launch)(`a framework's element in ${name}`, () => {
    const body = '{ "orderId": "7" }';

    it('sends one request when it repeats the attributes of rendered HTML as properties', async ({
      shop,
      open,
    }) => {
      const shown = await open({ html: `${tag}${element.replace('>', ` body='${body}'>`)}` });
      await shown.page.evaluate((text) => {
        Object.assign(document.querySelector('transfer-checkout') as Element, { body: text });
      }, body);
      expect(await shownAccount(shown)).toBe(shop.accountNumber);
      await expect.poll(() => shop.checkoutRequests).toEqual(['POST {"orderId":"7"}', 'GET ']);
    });

    it('sends one request when it is created with properties', async ({ shop, open }) => {
      const shown = await open({ html: tag });
      await shown.page.evaluate((text) => {
        const created = document.createElement('transfer-checkout');
        created.setAttribute('base-url', '/checkout');
        created.body = text;
        document.body.append(created);
      }, body);
      expect(await shownAccount(shown)).toBe(shop.accountNumber);
      await expect.poll(() => shop.checkoutRequests).toEqual(['POST {"orderId":"7"}', 'GET ']);
    });
  });
}
