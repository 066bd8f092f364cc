import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { preloadWidget } from '../../src/entry/button.ts';
import { reopen } from '../../src/entry/reopen.ts';
import { forget, wasOpen } from '../../src/index.ts';
import { settleImports } from '../settle.ts';
import { create, place, stubServer } from './shop.ts';

const key = 'transfer-checkout-open';
const order = { baseUrl: '/checkout', orderKey: '7' };

beforeEach(() => sessionStorage.clear());

/** Shows the order’s account, and leaves it open as an ended page does. */
async function leaveOpen() {
  const server = stubServer();
  const host = place('div');
  const checkout = create({ ...order, returnUrl: '/' }).mount(host);
  // Noted after the first paint.
  await expect.poll(() => sessionStorage.getItem(key)).not.toBeNull();
  return { checkout, host, ...server };
}

describe('an open payment', () => {
  it('is remembered for its page, baseUrl and order', async () => {
    await leaveOpen();
    expect(sessionStorage.getItem(key)).toBe(`${location.pathname} order-1001-1`);
    expect(await wasOpen(order)).toBe(true);
    expect(await wasOpen({ ...order, orderKey: '8' })).toBe(false);
    expect(await wasOpen({ ...order, baseUrl: '/pay' })).toBe(false);
    sessionStorage.setItem(key, '/elsewhere order-1001-1');
    expect(await wasOpen(order)).toBe(false);
  });

  it('is forgotten by forget(), as is every stored payment', async () => {
    await leaveOpen();
    expect([localStorage.length, sessionStorage.length]).toEqual([1, 1]);
    forget();
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
    expect(await wasOpen(order)).toBe(false);
    // As in a browser that blocks storage.
    vi.stubGlobal('localStorage', undefined);
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(forget).not.toThrow();
  });

  it.each<[string, (left: Awaited<ReturnType<typeof leaveOpen>>) => unknown]>([
    [
      'has been left for the shop',
      async ({ host }) => {
        const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
        onTestFinished(() => assign.mockRestore());
        host.shadowRoot?.querySelector<HTMLElement>('[data-action="back"]')?.click();
        await settleImports();
        host.shadowRoot?.querySelector<HTMLElement>('.leave > div > button:last-child')?.click();
        expect(assign).toHaveBeenCalledOnce();
      },
    ],
    [
      'has been left for the shop while it is being confirmed',
      async ({ host, respond }) => {
        await respond({ status: 'charged' });
        expect(sessionStorage.getItem(key)).not.toBeNull();
        const link = host.shadowRoot?.querySelector<HTMLElement>('[data-action="back"]');
        link?.addEventListener('click', (event) => event.preventDefault());
        link?.click();
      },
    ],
    ['has been closed', ({ checkout }) => checkout.unmount()],
    ['has ended', ({ respond }) => respond({ outcome: 'paid', status: 'succeeded' })],
  ])('is forgotten when it %s', async (_, end) => {
    const left = await leaveOpen();
    await end(left);
    expect([sessionStorage.getItem(key), await wasOpen(order)]).toEqual([null, false]);
  });

  it('is remembered when another checkout closes', async () => {
    const { checkout } = await leaveOpen();
    sessionStorage.setItem(key, '/ another');
    checkout.unmount();
    expect(sessionStorage.getItem(key)).toBe('/ another');
  });
});

describe('a reloaded page', () => {
  const openedBy = (html: string) => {
    document.body.innerHTML = html;
    const opened: string[] = [];
    for (const button of document.querySelectorAll('button')) {
      button.addEventListener('click', () => opened.push(button.id));
    }
    for (const element of document.querySelectorAll('transfer-checkout')) {
      Object.assign(element, {
        read: () => ({ orderKey: element.getAttribute('order-key') }),
        open: async () => void opened.push(element.id),
      });
    }
    onTestFinished(() => document.body.replaceChildren());
    return opened;
  };

  it.each([
    [
      'the button of that order',
      '<button id="6" data-transfer-checkout data-order-key="6"></button><button id="7" data-transfer-checkout data-order-key="7"></button>',
      ['7'],
    ],
    [
      'one of two',
      '<button id="a" data-transfer-checkout data-order-key="7"></button><button id="b" data-transfer-checkout="#x" data-order-key="7"></button>',
      ['a'],
    ],
    ['the modal element', '<transfer-checkout id="e" modal order-key="7"></transfer-checkout>', ['e']],
    [
      'none with reopen="false"',
      '<button id="a" data-transfer-checkout data-order-key="7" data-reopen="false"></button><transfer-checkout id="e" modal reopen="false" order-key="7"></transfer-checkout>',
      [],
    ],
    ['no element without modal', '<transfer-checkout id="e" order-key="7"></transfer-checkout>', []],
    [
      'the right one, although another one has invalid options',
      '<button id="a" data-transfer-checkout data-base-url="?"></button><transfer-checkout id="e" modal order-key="7"></transfer-checkout>',
      ['e'],
    ],
  ])('opens %s', async (_, html, ids) => {
    await leaveOpen();
    const opened = openedBy(html);
    await reopen();
    expect(opened).toEqual(ids);
  });

  it('opens nothing when no checkout was open', async () => {
    await leaveOpen();
    sessionStorage.clear();
    const opened = openedBy('<button id="a" data-transfer-checkout data-order-key="7"></button>');
    await reopen();
    expect(opened).toEqual([]);
  });
});

describe('the widget of a page without an open checkout', () => {
  const start = (html: string) => {
    const preload = vi.fn();
    document.body.innerHTML = html;
    onTestFinished(() => document.body.replaceChildren());
    preloadWidget(preload);
    return preload;
  };
  const touch = (type: string): boolean =>
    !!document.querySelector('span')?.dispatchEvent(new Event(type, { bubbles: true }));
  const button = '<button data-transfer-checkout><span>Pay</span></button>';

  it.each([
    ['a button', button, 1],
    ['a button with a selector', '<button data-transfer-checkout="#pay"><span>Pay</span></button>', 1],
    ['an element', '<transfer-checkout modal><span>Pay</span></transfer-checkout>', 1],
    ['another button', '<button><span>Other</span></button>', 0],
  ])('is preloaded by a pointer on %s, and once', (_, html, times) => {
    const preload = start(html);
    expect(preload).not.toHaveBeenCalled();
    touch('pointerover');
    touch('pointerover');
    expect(preload).toHaveBeenCalledTimes(times);
  });

  it('is preloaded by the focus, and needs no listener then', () => {
    const listen = vi.spyOn(Document.prototype, 'addEventListener');
    const preload = start(button);
    touch('focusin');
    const signals = listen.mock.calls.map(([, , options]) => Object(options).signal?.aborted);
    listen.mockRestore();
    expect(preload).toHaveBeenCalledOnce();
    expect(signals).toEqual([true, true]);
  });
});
