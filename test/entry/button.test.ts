import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CheckoutError } from '../../src/contract/index.ts';
import { openFromButtons } from '../../src/entry/button.ts';
import type { CheckoutOptions } from '../../src/options/options.ts';
import { settle } from '../settle.ts';
import { silence } from './shop.ts';

const open = vi.fn(async (_target?: Element) => {});
const update = vi.fn();
const mountCheckout = vi.fn((_element: Element, _options: CheckoutOptions) => ({}) as never);
const createTransferCheckout = vi.fn(async (_options: CheckoutOptions) => ({ open, update }) as never);
openFromButtons({ mountCheckout, createTransferCheckout });

beforeEach(() => void vi.clearAllMocks());

function put(html: string): void {
  document.body.innerHTML = html;
  onTestFinished(() => document.body.replaceChildren());
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector);
const press = async (selector: string): Promise<void> => {
  find(selector)?.click();
  await settle();
};
const given = (options: object) => expect.objectContaining(options);

it('other buttons are ignored', async () => {
  put('<button>Other</button>');
  await press('button');
  expect([mountCheckout.mock.calls, createTransferCheckout.mock.calls]).toEqual([[], []]);
});

describe('a button with a selector', () => {
  it('mounts a checkout in that element, and hides', async () => {
    put(`<button data-transfer-checkout="#pay" data-base-url="/pay" data-return-after-seconds="5" data-theme="dark"
      data-share-details><span>Pay</span></button><div id="pay"></div>`);
    await press('span');
    const options = { baseUrl: '/pay', returnAfterSeconds: 5, shareDetails: true };
    const appearance = given({ theme: 'dark' });
    expect(mountCheckout.mock.calls).toEqual([[find('#pay'), given({ ...options, appearance })]]);
    expect(find('button')).toHaveProperty('hidden', true);
    expect(document.activeElement).toBe(find('#pay'));
  });

  it('stays visible when no element is selected, and logs the selector', async () => {
    const logged = silence('error');
    put('<button data-transfer-checkout="#nowhere">Pay</button>');
    await press('button');
    expect([find('button')?.hidden, mountCheckout.mock.calls]).toEqual([false, []]);
    const message = 'data-transfer-checkout="#nowhere" selects no element.';
    expect(logged).toEqual([[expect.objectContaining({ code: 'invalid_options', message })]]);
  });

  it('logs the error of a mount that fails', async () => {
    const logged = silence('error');
    const error = new Error('No element.');
    mountCheckout.mockImplementationOnce(() => {
      throw error;
    });
    put('<button data-transfer-checkout="#pay">Pay</button><div id="pay"></div>');
    await press('button');
    expect(logged).toEqual([[error]]);
  });
});

describe('a button without a selector', () => {
  it('opens a checkout above the page, and later the same one with its present attributes', async () => {
    put('<button data-transfer-checkout data-base-url="/pay">Pay</button>');
    await press('button');
    expect([createTransferCheckout.mock.calls, open.mock.calls]).toEqual([
      [[given({ baseUrl: '/pay' })]],
      [[find('button')]],
    ]);
    find('button')?.setAttribute('data-merchant-name', 'Ada');
    await press('button');
    expect([createTransferCheckout.mock.calls.length, open.mock.calls.length]).toEqual([1, 2]);
    expect(update.mock.calls).toEqual([[given({ merchantName: 'Ada' })]]);
    expect(find('button')?.hidden).toBe(false);
  });

  it('is busy while the checkout opens, and opens only one', async () => {
    put('<button data-transfer-checkout>Pay</button>');
    find('button')?.click();
    find('button')?.click();
    expect(find('button')?.ariaBusy).toBe('true');
    await settle();
    expect([find('button')?.ariaBusy, open.mock.calls.length]).toEqual([null, 1]);
  });

  it('logs the error of an invalid attribute, and does not blame the shopper’s connection', async () => {
    const logged = silence('error');
    const error = new CheckoutError('invalid_options', 'The option returnAfterSeconds must be …');
    createTransferCheckout.mockRejectedValueOnce(error);
    put('<button data-transfer-checkout data-return-after-seconds="2" lang="en">Pay</button>');
    await press('button');
    const dialog = find('[data-checkout-failed]')?.shadowRoot?.querySelector('dialog');
    expect(dialog?.querySelector('[role="alert"]')?.textContent).toMatch(/^Try again, or ask the shop/);
    expect(logged).toEqual([[error]]);
    dialog?.close();
  });
});
