// @vitest-environment happy-dom
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { isStorable, parseWebUrl } from '../../src/contract/index.ts';
import { findReturned } from '../../src/core/session-client.ts';
import { listStored, orderStorage, saveStored } from '../../src/core/storage.ts';
import { readButton, readElement } from '../../src/entry/attributes.ts';
import { wasOpen } from '../../src/entry/reopen.ts';
import { resolveOptions, settingsOf } from '../../src/entry/resolve-options.ts';
import { type CheckoutOptions, optionNames, validateOptions } from '../../src/options/options.ts';
import { createBrowserEnvironment } from '../../src/widget/dom/browser-environment.ts';
import { pageBase, readReference } from '../../src/widget/dom/page.ts';
import { openPayment } from '../../src/widget/dom/site-storage.ts';
import { valid } from '../core/forged-storage.ts';
import { anyText, anyValue, damaged, damagedText } from './arbitraries.ts';
import { fuzz } from './fuzz.ts';

const storageKey = 'transfer-checkout';
const storedText = fc.oneof(
  damaged(
    fc.array(fc.constant({ ...valid, sentAfter: 0, sentFor: 'a', sentAtMs: 5, endedAtMs: 9 }), {
      maxLength: 12,
    }),
  ).map((entries) => JSON.stringify(entries) ?? ''),
  damagedText(fc.constant(JSON.stringify([valid, { ...valid, reference: 'order-1001-2' }]))),
  anyText,
);

describe('what another script has stored', () => {
  const environment = createBrowserEnvironment();
  const order = { environment, baseUrl: '/checkout', body: '{"orderId":"1"}' };

  fuzz(
    'is ignored, or is a payment of this server that fits into a header',
    fc.tuple(storedText, storedText),
    ([text, open]) => {
      localStorage.setItem(storageKey, text);
      openPayment.write(open);
      const listed = listStored(environment, '/checkout');
      expect(listed.length).toBeLessThanOrEqual(10);
      for (const entry of listed) {
        expect(isStorable(entry)).toBe(true);
        expect(entry.server).toBe('/checkout');
        expect(entry.sentAfter ?? 0).toSatisfy(Number.isSafeInteger);
      }
    },
  );

  fuzz('takes no place from a payment that is stored next', storedText, (text) => {
    localStorage.setItem(storageKey, text);
    const payment = {
      reference: 'order-1001-9',
      clientSecret: 'cs_test_9',
      server: '/checkout',
      order: 'b2',
    };
    saveStored(environment, payment);
    expect(listStored(environment, '/checkout')[0]).toMatchObject(payment);
    expect(JSON.parse(localStorage.getItem(storageKey) ?? '').length).toBeLessThanOrEqual(10);
  });

  fuzz(
    'decides no reopening, and no payment of another order',
    fc.tuple(storedText, anyText),
    async ([text, reference]) => {
      localStorage.setItem(storageKey, text);
      const found = findReturned(orderStorage(order), reference);
      if (found !== undefined)
        expect(found.reference === reference || found.order === valid.order).toBe(true);
      expect(await wasOpen({ body: { orderId: '1' } })).toBe(false);
    },
  );
});

const paths = fc.oneof(
  anyText.map((text) => `/shop?${new URLSearchParams({ reference: text })}`),
  anyText.map((text) => `/shop?${text.replace(/#/g, '')}`),
  anyText.map((text) => `/shop#${text}`),
);

fuzz(
  'the address of the page names a payment, or none',
  fc.tuple(
    paths,
    anyText.filter((text) => URL.canParse(text, location.href)),
  ),
  ([path, base]) => {
    history.replaceState(null, '', path);
    document.head.innerHTML = '';
    const element = document.createElement('base');
    element.setAttribute('href', base);
    document.head.append(element);
    try {
      expect(typeof (readReference() ?? '')).toBe('string');
      expect(new URL(pageBase()).origin).toBe(location.origin);
    } finally {
      element.remove();
      history.replaceState(null, '', '/');
    }
  },
);

/** Whatever was accepted: it opens web pages only, and asks no other server than the page allows. */
function expectSafe(options: CheckoutOptions, isMarkup: boolean): void {
  let resolved: ReturnType<typeof resolveOptions>;
  try {
    resolved = resolveOptions(validateOptions(options));
  } catch (error) {
    expect(error).toMatchObject({ name: 'CheckoutError', code: 'invalid_options' });
    return;
  }
  const { returnUrl, supportUrl, payLink, baseUrl } = resolved;
  for (const url of [returnUrl, supportUrl, payLink])
    if (url) expect(parseWebUrl(url)?.protocol).toMatch(/^https?:$/);
  const server = new URL(baseUrl, location.href);
  expect(server.protocol).toMatch(/^https?:$/);
  if (!isMarkup) return;
  expect(server.origin).toBe(location.origin);
  if (payLink) expect(new URL(payLink).origin).toBe(location.origin);
}

const attributeNames = [
  ...'base-url credentials body order-key merchant-name return-url return-after-seconds support-url'.split(
    ' ',
  ),
  ...'support-email pay-link share-details ussd locale refund-time logo theme density'.split(' '),
];
const attributeValues = [
  ...['/checkout', 'https://shop.example/pay', '//evil.example/pay', 'fr en', '30'],
  ...['{"orderId":"1"}', '*901*{amount}#', '[{"bank":"B","template":"*1*{account}#"}]'],
];
const attributeValue = fc.constantFrom(...attributeValues);
const attributeText = fc.oneof(attributeValue, damagedText(attributeValue), anyText);
const attributes = fc.dictionary(fc.constantFrom(...attributeNames), attributeText, {
  maxKeys: 4,
});

fuzz(
  'attributes are refused with invalid_options, or send no request but to this site',
  attributes,
  (given) => {
    const [button, element] = [document.createElement('button'), document.createElement('div')];
    for (const [name, value] of Object.entries(given)) {
      button.setAttribute(`data-${name}`, value);
      element.setAttribute(name, value);
    }
    expectSafe(readButton(button), true);
    expectSafe(readElement(element), true);
  },
);

const optionValue = fc.oneof(attributeText, anyValue, fc.bigInt());
const anyOptions = fc.dictionary(
  fc.constantFrom(...optionNames, 'onPaid', 'onSucceeded', 'unknown', '__proto__'),
  optionValue,
  { maxKeys: 4 },
);

fuzz('options of any kind are refused with invalid_options, or open web pages only', anyOptions, (given) => {
  expectSafe(given as CheckoutOptions, false);
  try {
    settingsOf(validateOptions(given as CheckoutOptions));
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_options' });
  }
});
