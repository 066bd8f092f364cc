import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createBrowserEnvironment } from '../../src/widget/dom/browser-environment.ts';
import { forget, openPayment } from '../../src/widget/dom/site-storage.ts';

/** A `PageTransitionEvent`, which the DOM of the tests does not have. */
const transition = (type: string, persisted: boolean): Event => Object.assign(new Event(type), { persisted });

it('the browser’s environment observes a page that the browser keeps or restores, not one that has just loaded or is left for good', () => {
  const seen: string[] = [];
  const types = ['pageshow', 'pagehide'];
  const stop = createBrowserEnvironment().observe([...types, 'freeze'], (type) => seen.push(type));
  for (const type of types) dispatchEvent(transition(type, false));
  expect(seen).toEqual([]);
  for (const type of types) dispatchEvent(transition(type, true));
  document.dispatchEvent(new Event('freeze'));
  expect(seen).toEqual([...types, 'freeze']);
  stop();
  for (const type of types) dispatchEvent(transition(type, true));
  document.dispatchEvent(new Event('freeze'));
  expect(seen).toHaveLength(3);
});

it('a timer of a browser that is cancelled does nothing', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ring = vi.fn();
  const { setTimer } = createBrowserEnvironment();
  const cancel = setTimer(ring, 5);
  setTimer(ring, 5);
  cancel();
  vi.advanceTimersByTime(5);
  expect(ring).toHaveBeenCalledOnce();
});

describe('the storage of a browser', () => {
  const refuse = (): never => {
    throw new DOMException('Refused.', 'SecurityError');
  };
  const empty = { getItem: () => null, setItem() {}, removeItem() {} } as unknown as Storage;

  it.each([
    ['blocks it', refuse],
    ['has no space left', () => ({ ...empty, setItem: refuse })],
    ['cannot read it', () => ({ ...empty, getItem: refuse })],
    ['lets nothing be removed', () => ({ ...empty, removeItem: refuse })],
  ])('counts as empty, and causes no error, where the browser %s', (_how, get) => {
    for (const area of ['localStorage', 'sessionStorage'] as const) {
      const spy = vi.spyOn(window, area, 'get').mockImplementation(get);
      onTestFinished(() => spy.mockRestore());
    }
    const { readStored, writeStored, readReported, writeReported, readLanguage, writeLanguage } =
      createBrowserEnvironment();
    writeStored('[]');
    writeReported('1');
    writeLanguage('fr');
    openPayment.write('/ order-1001-1');
    expect([readStored(), readReported(), readLanguage(), openPayment.read()]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(forget).not.toThrow();
  });
});
