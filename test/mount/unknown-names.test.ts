import { describe, expect, it, onTestFinished, vi } from 'vitest';
import '../../src/element.ts';
import { createTransferCheckout } from '../../src/index.ts';
import type { CheckoutOptions } from '../../src/mount/options/options.ts';
import { settleImports } from '../settle.ts';
import { place, stubServer } from './shop.ts';

describe('a name that there is not', () => {
  it.each<[object, RegExp]>([
    [{ merchant: 'Kola' }, /The option merchant must be one of baseUrl,/],
    [{ appearance: { them: 'dark' } }, /appearance\.them must be one of theme, density, variables\./],
    [
      { appearance: { variables: { acent: 'gold' } } },
      /appearance\.variables\.acent must be one of accent, on-accent,/,
    ],
  ])('is refused with those that there are: %j', (options, message) => {
    expect(() => createTransferCheckout(options as CheckoutOptions)).toThrow(message);
  });
});

/** What is written to the console, once an account shows. */
async function warningsOf(element: HTMLElement, options?: CheckoutOptions, liveMode = false) {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  stubServer({ liveMode });
  if (options) {
    const checkout = createTransferCheckout(options);
    onTestFinished(() => checkout.unmount());
    await checkout.open(element);
  } else place('main').append(element);
  await settleImports();
  return warn.mock.calls.flat().map((line) => /"(.*)"/.exec(`${line}`)?.[1]);
}

const elementOf = (html: string): HTMLElement => {
  const box = document.createElement('div');
  box.innerHTML = html;
  return box.firstElementChild as HTMLElement;
};

describe('in test mode the developer hears', () => {
  it('of texts that nothing shows', async () => {
    const known = { copy: 'Take', reference: 'Ref', loadFailed: 'No.', failedPolicy: 'Write to us.' };
    const text = { ...known, coppy: 'Take', Waiting: 'Wait' };
    expect(await warningsOf(place('div'), { text } as CheckoutOptions)).toEqual(['coppy', 'Waiting']);
  });

  it.each([
    [
      '<transfer-checkout id="a" class="b" data-x aria-label="x" v-if="y" @click="z" base-url="/pay" theme="dark"></transfer-checkout>',
      [],
    ],
    [
      '<transfer-checkout merchantName="Kola" retrun-url="/"></transfer-checkout>',
      ['merchantname', 'retrun-url'],
    ],
  ])('of attributes of an element that nothing reads: %s', async (html, names) => {
    expect(await warningsOf(elementOf(html))).toEqual(names);
  });

  it('of a button’s that are misspelt, and of nobody else’s', async () => {
    const button = elementOf(
      '<button data-transfer-checkout data-merchantname="Kola" data-returnUrl="/" data-base-url="/pay" data-reopen="false" data-testid="x">Pay</button>',
    );
    expect(await warningsOf(button, { baseUrl: '/pay' })).toEqual(['data-merchantname', 'data-returnurl']);
  });

  it('of no button that is not ours', async () => {
    expect(await warningsOf(elementOf('<button data-merchantname="x">'), {})).toEqual([]);
  });

  it('of nothing in live mode', async () => {
    expect(await warningsOf(place('div'), { text: { coppy: 'x' } } as CheckoutOptions, true)).toEqual([]);
  });
});
