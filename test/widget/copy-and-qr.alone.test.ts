import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { paymentOf, type State } from '../../src/core/state.ts';
import { show, shown } from './show.ts';

const drawing = vi.hoisted(() => ({ fails: false }));
vi.mock('../../src/widget/lazy/qr-code.ts', async () => {
  const real = await vi.importActual<typeof import('../../src/widget/lazy/qr-code.ts')>(
    '../../src/widget/lazy/qr-code.ts',
  );
  return {
    createQrCode: (text: string) => {
      if (drawing.fails) throw new Error('The file did not come.');
      return real.createQrCode(text);
    },
  };
});

function stubClipboard(writeText: ((text: string) => Promise<void>) | undefined): void {
  vi.stubGlobal('navigator', { clipboard: writeText && { writeText } });
}

/** Gives the page a canvas, and returns the squares that are drawn on it. */
function stubCanvas(): string[] {
  const squares: string[] = [];
  const context = {
    fillStyle: '',
    scale: () => {},
    fillRect(...place: number[]) {
      squares.push([context.fillStyle, ...place].join(' '));
    },
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  return squares;
}

const copyStatus = (root: ShadowRoot): string | undefined =>
  [...root.querySelectorAll('[role="status"] > p')]
    .map(({ textContent }) => textContent ?? '')
    .find((text) => /(Copied|Press and hold)/.test(text));

// Loaded first, so that no test waits for a file.
beforeAll(() => import('../../src/widget/lazy/qr-code.ts'));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  drawing.fails = false;
});

const otherAccount = shown('awaitingTransfer', {
  reference: 'order-1001-2',
  account: { number: '9012345999', name: 'Kola Bookshop', bankName: 'Sandbox Bank' },
});

/** As the machine keeps it from a session. */
function withQrText(qrText: string | undefined) {
  const state = shown('awaitingTransfer');
  return { ...state, payment: { ...paymentOf(state), qrText } } as State;
}

describe('copying a value', () => {
  it('writes the plain digits to the clipboard, and then says so', async () => {
    let finish = (): void => {};
    const writeText = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    stubClipboard(writeText);
    const { press, screen, root, emit, settle } = await show(shown('awaitingTransfer'));
    await press(/Copy account number/);
    expect(writeText).toHaveBeenCalledWith('9012345678');
    expect(screen.queryByRole('button', { name: /Copied/ })).toBeNull();
    finish();
    await settle();
    screen.getByRole('button', { name: 'Copied account number' });
    expect(copyStatus(root)).toBe('Copied account number');
    expect(emit.mock.calls).toEqual([['copied', { field: 'accountNumber' }]]);
  });

  it('is forgotten when the account changes', async () => {
    stubClipboard(async () => {});
    const { press, screen, setState } = await show(shown('awaitingTransfer'));
    await press(/Copy account number/);
    screen.getByRole('button', { name: 'Copied account number' });
    await setState(otherAccount);
    screen.getByRole('button', { name: 'Copy account number' });
  });

  it('works by a press on the value, too', async () => {
    const writeText = vi.fn(async () => {});
    stubClipboard(writeText);
    const { root, settle } = await show(shown('awaitingTransfer'));
    for (const field of ['accountNumber', 'amount', 'bankName']) {
      root.querySelector<HTMLElement>(`[data-field="${field}"]`)?.click();
      await settle();
    }
    expect(writeText.mock.calls).toEqual([['9012345678'], ['12500.00']]);
  });

  it('is announced for each field, and again for the same one, and marks only the last value', async () => {
    stubClipboard(async () => {});
    const { press, announced, screen } = await show(shown('awaitingTransfer'));
    const announcements: string[] = [];
    for (const name of [/Copy account number/, /Copy amount/, /Copied amount/]) {
      await press(name);
      announcements.push(announced().find((line) => line.includes('Copied')) ?? '');
    }
    expect(announcements.map((one) => one.trim())).toEqual([
      'Copied account number',
      'Copied amount',
      'Copied amount',
    ]);
    expect(new Set(announcements).size).toBe(3);
    screen.getByRole('button', { name: 'Copy account number' });
    screen.getByRole('button', { name: 'Copied amount' });
  });

  it.each([
    ['awaitingTransfer', 'Copy account number', 'Copied account number'],
    ['awaitingTransfer', 'Copy amount', 'Copied amount'],
    ['failed', 'Copy reference', 'Copied reference'],
    ['awaitingTransfer', 'Copy all', 'All details: Copied'],
    ['awaitingTransfer', 'Let someone else pay', 'Let someone else pay: Copied'],
    ['succeeded', 'Share', 'Receipt: Copied'],
  ] as const)('shows the same tick in every place: on the screen %s by “%s”', async (state, name, after) => {
    stubClipboard(async () => {});
    const { press, screen } = await show(shown(state), { shareDetails: true });
    await press(new RegExp(`^${name}$`));
    const button = screen.getByRole('button', { name: after });
    expect([button.textContent, button.dataset.copied]).toEqual(['Copied', 'true']);
    expect([...button.querySelectorAll('svg')].map(({ classList }) => classList[1])).toEqual(['glyph-done']);
  });

  it.each([
    ['there is no clipboard', undefined],
    ['the clipboard refuses', () => Promise.reject(new Error('No.'))],
    ['the clipboard does not respond', () => new Promise<void>(() => {})],
  ])('uses the selection when %s', async (_why, writeText) => {
    stubClipboard(writeText);
    const put = vi.fn();
    document.execCommand = () => {
      const event = Object.assign(new Event('copy'), { clipboardData: { setData: put } });
      return dispatchEvent(event) || true;
    };
    const { press, screen } = await show(shown('awaitingTransfer'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await press(/Copy account number/);
    await vi.advanceTimersByTimeAsync(1500);
    expect(put).toHaveBeenCalledWith('text/plain', '9012345678');
    screen.getByRole('button', { name: 'Copied account number' });
  });

  it.each([
    ['refuses', () => false],
    [
      'throws',
      () => {
        throw new Error('No.');
      },
    ],
  ])('leaves the number selected and says what to do when the browser %s it', async (_how, execCommand) => {
    stubClipboard(undefined);
    document.execCommand = execCommand;
    const { press, screen, root, emit } = await show(shown('awaitingTransfer'));
    await press(/Copy account number/);
    screen.getByRole('button', { name: /Press and hold to copy/ });
    expect(screen.queryByText('Copied')).toBeNull();
    expect(copyStatus(root)).toBe('Press and hold to copy account number');
    expect(getSelection()?.anchorNode).toBe(root.querySelector('[data-field="accountNumber"]'));
    await press(/Copy all/);
    expect(getSelection()?.anchorNode).toBe(root.querySelector('dl'));
    expect(emit).not.toHaveBeenCalled();
  });
});

describe('the QR code', () => {
  it('is drawn on demand, black on white, and can be hidden again', async () => {
    const squares = stubCanvas();
    const { press, root, screen } = await show(shown('awaitingTransfer'));
    expect(root.querySelector('canvas')).toBeNull();
    await press(/Show QR code/);
    screen.getByRole('img', { name: 'QR code with the account details' });
    const [paper, first] = squares;
    expect(paper).toMatch(/^#fff 0 0 (\d+) \1$/);
    expect(first).toBe('#000 4 4 1 1');
    await press(/Hide QR code/);
    expect(root.querySelector('canvas')).toBeNull();
  });

  it('says that bank apps cannot read the account details, unlike a payment link', async () => {
    stubCanvas();
    const details = await show(shown('awaitingTransfer'));
    await details.press(/Show QR code/);
    details.screen.getByText(/Bank apps can’t read it/);
    const link = await show(shown('awaitingTransfer'), { payLink: 'https://shop.example/pay' });
    await link.press(/Show QR code/);
    link.screen.getByRole('img', { name: 'QR code that opens the payment page' });
    expect(link.screen.queryByText(/Bank apps/)).toBeNull();
  });

  it('has the text that the session gives for bank apps', async () => {
    const drawn = async (qrText?: string) => {
      const squares = stubCanvas();
      const page = await show(withQrText(qrText), { payLink: 'https://shop.example/pay' });
      await page.press(/Show QR code/);
      return { ...page, code: squares.join() };
    };
    const [link, bank] = [await drawn(), await drawn('00020101021226')];
    expect(bank.code).not.toBe(link.code);
    bank.screen.getByRole('img', { name: 'QR code with the account details' });
    expect(bank.screen.queryByText(/Bank apps/)).toBeNull();
    const long = await show(withQrText('0'.repeat(1000)));
    expect(long.screen.queryByRole('button', { name: 'Show QR code' })).toBeNull();
  });

  it('is not offered for more than phones read at its size', async () => {
    const page = await show(shown('awaitingTransfer'), {
      payLink: `https://shop.example/${'x'.repeat(310)}`,
    });
    expect(page.screen.queryByRole('button', { name: 'Show QR code' })).not.toBeNull();
    page.settings.value = { payLink: `https://shop.example/${'x'.repeat(1000)}` };
    await page.settle();
    expect(page.screen.queryByRole('button', { name: 'Show QR code' })).toBeNull();
  });

  it('reports a failure and leaves the rest working', async () => {
    stubCanvas();
    drawing.fails = true;
    const { press, screen, field } = await show(shown('awaitingTransfer'));
    await press(/Show QR code/);
    screen.getAllByText(/The QR code could not be loaded/);
    expect(field('accountNumber')).toBe('9012345678');
    drawing.fails = false;
    await press(/Show QR code/);
    expect(screen.queryByText(/could not be loaded/)).toBeNull();
  });
});

it('the QR code of an account that changes is removed', async () => {
  stubCanvas();
  const { press, root, settle, setState } = await show(shown('awaitingTransfer'));
  await press(/Show QR code/);
  await settle();
  expect(root.querySelector('canvas')).not.toBeNull();
  await setState(otherAccount);
  expect(root.querySelector('canvas')).toBeNull();
});
