import { afterEach, describe, expect, it, vi } from 'vitest';
import { settle } from '../settle.ts';
import { show, shown } from './show.ts';

const files = vi.hoisted(() => ({ loads: 0 }));
vi.mock('../../src/widget/lazy/qr-code.ts', () => {
  files.loads += 1;
  return { createQrCode: () => () => {} };
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the link to help', () => {
  const pressHelp = async (options: Parameters<typeof show>[1]) => {
    const page = await show(shown('failed'), options);
    const link = page.screen.getByRole('link', { name: 'Get help' });
    const event = new MouseEvent('click', { bubbles: true, cancelable: true });
    // This DOM would navigate.
    link.addEventListener('click', (click) => click.defaultPrevented || click.preventDefault());
    link.dispatchEvent(event);
    await settle();
    return page;
  };

  it('shows the e-mail address, because there may be no e-mail app', async () => {
    const { seen, announced, setState } = await pressHelp({ supportEmail: 'help@shop.example' });
    expect(seen()).toContain('If nothing opens: help@shop.example');
    expect(announced()).toContain('If nothing opens: help@shop.example');
    await setState(shown('reversed', { outcome: 'reversed' }));
    expect(seen()).not.toContain('If nothing opens');
  });

  it('shows its address in a frame that cannot open windows', async () => {
    const supportUrl = 'https://shop.example/help';
    const open = vi.fn<() => object | null>(() => null);
    vi.stubGlobal('open', open);
    expect((await pressHelp({ supportUrl })).seen()).not.toContain('If nothing opens');
    vi.stubGlobal('top', {});
    expect((await pressHelp({ supportUrl })).seen()).toContain(
      'If nothing opens: https://shop.example/help?reference=order-1001-1',
    );
    const opened = { opener: window as unknown };
    open.mockReturnValue(opened);
    expect((await pressHelp({ supportUrl })).seen()).not.toContain('If nothing opens');
    expect(opened.opener).toBeNull();
  });
});

it('the lazy parts of a screen are preloaded when the browser is idle, unless styles hide what needs them, or the reader saves data', async () => {
  const idle: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => idle.push(callback));
  const cancelled: number[] = [];
  vi.stubGlobal('cancelIdleCallback', (handle: number) => cancelled.push(handle));
  vi.stubGlobal('navigator', { connection: { saveData: true } });
  await show(shown('awaitingTransfer'));
  expect(idle.length).toBe(0);
  vi.stubGlobal('navigator', {});
  const { root, remove } = await show(shown('awaitingTransfer'));
  const runIdle = async () => {
    idle[0]?.();
    await vi.dynamicImportSettled();
    return files.loads;
  };
  const button = root.querySelector('[data-action="qr"]') as Element;
  vi.spyOn(button, 'getClientRects').mockReturnValueOnce([] as unknown as DOMRectList);
  expect([idle.length, await runIdle()]).toEqual([1, 0]);
  expect(await runIdle()).toBe(1);
  remove();
  await settle();
  expect(cancelled).toEqual([1]);
});
