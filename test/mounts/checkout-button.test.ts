import { expect, it, onTestFinished } from 'vitest';
import { openFromButtons } from '../../src/mounts/checkout-button.ts';
import type { CheckoutOptions } from '../../src/mounts/options.ts';

const mounts: { element: Element | null; options: CheckoutOptions }[] = [];
openFromButtons((element, options) => {
  mounts.push({ element, options });
  return Promise.reject(new Error('Nothing is mounted here.')).catch(() => undefined as never);
});

function put(html: string): void {
  document.body.innerHTML = html;
  mounts.length = 0;
  onTestFinished(() => document.body.replaceChildren());
}

const press = (selector: string): void => document.querySelector<HTMLElement>(selector)?.click();

it('opens a checkout in the element that the button names, and goes away', () => {
  put(`<button data-transfer-checkout="#pay" data-base-url="/pay" data-merchant-name="Kola" data-return-url="/orders">
    <span>Pay</span></button><div id="pay"></div>`);
  press('span');
  const element = document.querySelector('#pay');
  expect(mounts).toEqual([
    {
      element,
      options: {
        baseUrl: '/pay',
        merchantName: 'Kola',
        returnUrl: '/orders',
        appearance: { theme: undefined },
      },
    },
  ]);
  expect(document.querySelector('button')?.hidden).toBe(true);
  expect(document.activeElement).toBe(element);
});

it('takes no notice of other buttons', () => {
  put('<button>Other</button>');
  press('button');
  expect(mounts).toEqual([]);
});

it('stays when the element it names is not there, and lets the mount say so', () => {
  put('<button data-transfer-checkout="#nowhere">Pay</button>');
  press('button');
  expect(mounts).toMatchObject([{ element: null }]);
  expect(document.querySelector('button')?.hidden).toBe(false);
});
