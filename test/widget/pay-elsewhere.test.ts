import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PaymentView } from '../../src/contract/index.ts';
import { show, shown } from './show.ts';

const banks = [
  { bank: 'Ada Bank', template: '*901*{amount}*{account}#' },
  { bank: 'Obi Bank', template: '*737#' },
];
const linkOf = (root: ShadowRoot): HTMLAnchorElement[] => [
  ...root.querySelectorAll<HTMLAnchorElement>('.ussd a'),
];

/** Stubs a device that can or cannot share; returns what was shared and copied. */
function deviceThat(share?: () => Promise<void>) {
  const shared: ShareData[] = [];
  const copied: string[] = [];
  vi.stubGlobal('navigator', {
    clipboard: { writeText: async (text: string) => void copied.push(text) },
    ...(share && {
      canShare: () => true,
      share: (data: ShareData) => {
        shared.push(data);
        return share();
      },
    }),
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return { shared, copied };
}

describe('a USSD code', () => {
  const dialled = async (payment: Partial<PaymentView>): Promise<string[]> => {
    const { root } = await show(shown('awaitingTransfer', payment), { ussd: banks });
    return linkOf(root).map(({ href }) => href);
  };

  it('contains the amount in whole units and the account', async () => {
    const page = await show(shown('awaitingTransfer'), { ussd: banks });
    expect(linkOf(page.root).map(({ href, textContent }) => [href, textContent])).toEqual([
      ['tel:*901*12500*9012345678%23', 'Ada Bank *901*12500*9012345678#'],
      ['tel:*737%23', 'Obi Bank *737#'],
    ]);
    expect(page.seen()).toContain('Never enter it on a web page.');
  });

  it('contains the missing amount, and is closed when that changes', async () => {
    const page = await show(shown('awaitingTransfer'), { ussd: banks });
    const list = (): HTMLDetailsElement | null => page.root.querySelector('details');
    Object.assign(list() ?? {}, { open: true });
    await page.setState(shown('partlyPaid', { chargedAmount: 500_000 }));
    expect(list()?.open).toBe(false);
    expect(linkOf(page.root)[0]?.href).toBe('tel:*901*7500*9012345678%23');
  });

  it('is left out when it cannot contain the kobo, or an account that is not a number', async () => {
    expect(await dialled({ amount: { value: 1_250_050, currency: 'NGN' } })).toEqual(['tel:*737%23']);
    const account = { number: '90-12', name: 'Ada Obi', bankName: 'Sandbox Bank' };
    expect(await dialled({ account })).toEqual(['tel:*737%23']);
  });

  it('is not offered without banks, or when none can be dialled', async () => {
    expect((await show(shown('awaitingTransfer'))).root.querySelector('details')).toBeNull();
    const amount = { value: 1_250_050, currency: 'NGN' };
    const page = await show(shown('awaitingTransfer', { amount }), { ussd: banks.slice(0, 1) });
    expect(page.root.querySelector('details')).toBeNull();
  });
});

describe('sharing the payment details', () => {
  const name = /let someone else pay/i;

  it('is offered when the merchant enables it', async () => {
    expect((await show(shown('awaitingTransfer'))).screen.queryByRole('button', { name })).toBeNull();
  });

  it('passes on the text that “Copy all” copies, or the pay link', async () => {
    const { shared, copied } = deviceThat(async () => {});
    const page = await show(shown('awaitingTransfer'), { shareDetails: true });
    await page.press(name);
    await page.press(/^Copy all$/);
    page.settings.value = { ...page.settings.peek(), payLink: 'https://shop.example/pay/1' };
    await page.settle();
    await page.press(name);
    expect(shared).toEqual([
      { title: 'Kola’s Bookshop', text: copied[0] },
      { title: 'Kola’s Bookshop', url: 'https://shop.example/pay/1' },
    ]);
    expect(copied.map((text) => text.split('\n'))).toEqual([
      [
        'Bank: Sandbox Bank',
        'Account number: 9012345678',
        'Account name: Kola Bookshop',
        'Amount: ₦12,500.00',
        expect.stringMatching(/^Pay by 1 Mar 2026, \d\d:30$/),
        'Reference: order-1001-1',
      ],
    ]);
  });

  const failWith = (errorName: string) => () => Promise.reject(new DOMException('No.', errorName));

  it.each([
    ['copies the details and says so on a device that cannot share', undefined, 1],
    ['copies the details and says so after a failed attempt', failWith('NotAllowedError'), 1],
    ['copies nothing after a cancelled attempt', failWith('AbortError'), 0],
  ])('%s', async (_name, share, times) => {
    const { copied } = deviceThat(share);
    const page = await show(shown('awaitingTransfer'), { shareDetails: true });
    await page.press(name);
    expect(copied).toEqual(Array(times).fill(expect.stringContaining('9012345678')));
    expect(page.announced().includes('Let someone else pay: Copied')).toBe(times > 0);
  });
});

describe('a receipt', () => {
  const paid = shown('succeeded', {
    outcome: 'paid',
    paidAt: '2026-03-01T12:10:00Z',
    chargedAmount: 1_250_000,
  });

  it('is shared with all its lines', async () => {
    const { shared } = deviceThat(async () => {});
    const page = await show(paid);
    await page.press(/^share$/i);
    expect(shared).toEqual([{ title: 'Receipt', text: expect.stringContaining('Reference: order-1001-1') }]);
    expect(shared[0]?.text).toMatch(
      /^Receipt – Kola’s Bookshop\nTest mode: no real money\nReceived: ₦12,500.00\nPaid on: .*2026/,
    );
  });

  it('is printed with the lines that the screen leaves out', async () => {
    const print = vi.fn();
    vi.stubGlobal('print', print);
    onTestFinished(() => void vi.unstubAllGlobals());
    const page = await show(shown('succeeded', { ...paid.payment, orderId: '1001' }));
    expect(page.field('orderNumber')).toBe('1001');
    await page.press(/^print$/i);
    expect(print).toHaveBeenCalledOnce();
  });
});

it('a payment on the service’s page shows a link to that page, and no account', async () => {
  const page = await show(
    shown('checking', { outcome: 'unclear' as 'pending', authorizationUrl: 'https://pay.example/1' }),
  );
  expect(page.seen()).toContain('Waiting for your payment');
  expect(page.seen()).not.toContain('Please don’t send money now');
  expect(page.screen.getByRole('link', { name: 'Go to the payment page' }).getAttribute('href')).toBe(
    'https://pay.example/1',
  );
});
