import { describe, expect, it } from 'vitest';
import '../../src/element.ts';
import type { CheckoutOptions } from '../../src/options/options.ts';
import { settleImports } from '../settle.ts';
import { create, place, silence, stubServer } from './shop.ts';

/** Returns the names in the console's warnings, once the account shows. */
async function warningsOf(element: HTMLElement, options?: CheckoutOptions, liveMode = false) {
  const warnings = silence('warn');
  stubServer({ liveMode });
  if (options) await create(options).open(element);
  else place('main').append(element);
  await settleImports();
  return warnings.flat().map((line) => /"(.*)"/.exec(`${line}`)?.[1]);
}

const elementOf = (html: string): HTMLElement => {
  const box = document.createElement('div');
  box.innerHTML = html;
  return box.firstElementChild as HTMLElement;
};

describe('the warnings', () => {
  it('name unknown texts in test mode', async () => {
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
  ])('name unknown attributes of an element in test mode: %s', async (html, names) => {
    expect(await warningsOf(elementOf(html))).toEqual(names);
  });

  it('name misspelt attributes of a button, and no others', async () => {
    const button = elementOf(
      '<button data-transfer-checkout data-merchantname="Kola" data-returnUrl="/" data-base-url="/pay" data-reopen="false" data-testid="x">Pay</button>',
    );
    expect(await warningsOf(button, { baseUrl: '/pay' })).toEqual(['data-merchantname', 'data-returnurl']);
  });

  it('are absent in live mode', async () => {
    expect(await warningsOf(place('div'), { text: { coppy: 'x' } } as CheckoutOptions, true)).toEqual([]);
  });
});
