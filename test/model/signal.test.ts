import { describe, expect, it } from 'vitest';
import { effect, signal } from '../../src/model/signal.ts';

describe('a signal', () => {
  it('runs those who have read it when it changes, and only then', () => {
    const [one, other] = [signal(1), signal(1)];
    const seen: number[] = [];
    const stop = effect(() => {
      seen.push(one.value + other.peek());
    });
    one.value = 2;
    one.value = 2;
    other.value = 5;
    stop();
    one.value = 9;
    expect(seen).toEqual([2, 3]);
  });

  it('is read by the inner of two effects alone', () => {
    const one = signal(1);
    const runs = { outer: 0, inner: 0 };
    effect(() => {
      runs.outer += 1;
      effect(() => {
        runs.inner += one.value;
      });
    });
    one.value = 10;
    expect(runs).toEqual({ outer: 1, inner: 11 });
  });
});
