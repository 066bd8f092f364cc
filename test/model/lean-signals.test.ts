import * as real from '@preact/signals';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as lean from '../../src/model/lean-signals.ts';

type Library = {
  readonly signal: <T>(first: T) => lean.Signal<T>;
  readonly effect: (act: () => void) => () => void;
};

describe.each<[string, Library]>([
  ['the part of @preact/signals that browsers load', lean],
  ['@preact/signals', real],
])('%s', (_name, { signal, effect }) => {
  it('runs those who have read a signal when it changes, and only then', () => {
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

  it('runs nobody for what was read before, and is not read any more', () => {
    const [isOne, one, other] = [signal(true), signal(1), signal(10)];
    const seen: number[] = [];
    effect(() => {
      seen.push(isOne.value ? one.value : other.value);
    });
    isOne.value = false;
    one.value = 2;
    other.value = 20;
    expect(seen).toEqual([1, 10, 20]);
  });

  it('lets the inner of two effects alone read what it reads', () => {
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

  it('goes on reading for the outer effect after the inner one', () => {
    const [one, other] = [signal(1), signal(1)];
    const seen: string[] = [];
    effect(() => {
      const stop = effect(() => void seen.push(`inner ${one.value}`));
      seen.push(`outer ${other.value}`);
      stop();
    });
    other.value = 2;
    one.value = 2;
    expect(seen).toEqual(['inner 1', 'outer 1', 'inner 1', 'outer 2']);
  });

  it('ends an effect that is disposed of while it runs', () => {
    const [one, other] = [signal(1), signal(1)];
    const seen: number[] = [];
    const stop = effect(() => {
      if (one.value === 2) stop();
      seen.push(one.value + other.value);
    });
    one.value = 2;
    one.value = 3;
    other.value = 9;
    expect(seen).toEqual([2, 3]);
  });

  it('runs no effect that another has disposed of meanwhile', () => {
    const one = signal(1);
    const seen: string[] = [];
    let stop = (): void => {};
    effect(() => {
      seen.push(`first ${one.value}`);
      if (one.value === 2) stop();
    });
    stop = effect(() => void seen.push(`second ${one.value}`));
    one.value = 2;
    expect(seen).toEqual(['first 1', 'second 1', 'first 2']);
  });

  it('tells what an effect sets once it is done, itself included', () => {
    const [asked, answered] = [signal(1), signal(0)];
    const seen: string[] = [];
    effect(() => void seen.push(`sees ${answered.value}`));
    effect(() => {
      seen.push(`begins ${asked.value}`);
      answered.value = 5;
      answered.value = asked.value * 10;
      if (asked.value === 2) asked.value = 3;
      seen.push('ends');
    });
    asked.value = 2;
    expect(seen).toEqual([
      ...['sees 0', 'begins 1', 'ends', 'sees 10'],
      ...['begins 2', 'ends', 'begins 3', 'ends', 'sees 30'],
    ]);
  });

  it('does not run again what fails at first', () => {
    const one = signal(1);
    const seen: number[] = [];
    const start = (): unknown =>
      effect(() => {
        seen.push(one.value);
        throw new Error('Always.');
      });
    expect(start).toThrow('Always.');
    one.value = 2;
    expect(seen).toEqual([1]);
  });

  it('runs the others all the same when one fails, and lets who has set the signal know', () => {
    const one = signal(1);
    const seen: number[] = [];
    effect(() => {
      if (one.value === 2) throw new Error('Two.');
    });
    effect(() => void seen.push(one.value));
    expect(() => {
      one.value = 2;
    }).toThrow('Two.');
    one.value = 3;
    expect(seen).toEqual([1, 2, 3]);
  });
});

/** What an effect of a random program does, in this order. Signals are numbered: it sets only those after what it reads. */
type Step =
  | { readonly do: 'read' | 'peek' | 'set'; readonly at: number }
  | { readonly do: 'stop' | 'start'; readonly at: number };
type Program = { readonly effects: readonly (readonly Step[])[]; readonly changes: readonly number[] };

const size = 5;
const step = fc.record({
  do: fc.constantFrom('read', 'read', 'read', 'peek', 'set', 'stop', 'start'),
  at: fc.nat(size - 1),
}) as fc.Arbitrary<Step>;
const program: fc.Arbitrary<Program> = fc.record({
  effects: fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: size }),
  changes: fc.array(fc.nat(size - 1), { maxLength: 8 }),
});

/** Every run of every effect, with what it has seen. */
function logOf({ signal, effect }: Library, { effects, changes }: Program): string[] {
  const log: string[] = [];
  const signals = Array.from({ length: size }, () => signal(0));
  const stops: (() => void)[] = [];
  const grow = (at: number, by: number): void => {
    const one = signals[at];
    if (one) one.value = one.peek() + by;
  };
  const start = (number: number, depth: number): void => {
    let [latest, runs] = [-1, 0];
    const steps = effects[number] ?? [];
    const stop = effect(() => {
      runs += 1;
      let line = `${number}.${depth}:`;
      for (const { do: what, at } of steps) {
        if (what === 'read') {
          latest = Math.max(latest, at);
          line += ` ${signals[at]?.value}`;
        } else if (what === 'peek') line += ` (${signals[at]?.peek()})`;
        else if (what === 'set' && at > latest) grow(at, 1);
        else if (what === 'stop') stops[at]?.();
        else if (what === 'start' && depth < 2 && runs < 3) start(at, depth + 1);
      }
      log.push(line);
    });
    stops[number] ??= stop;
  };
  for (const number of effects.keys()) start(number, 0);
  for (const at of changes) {
    log.push(`set ${at}`);
    grow(at, 1);
  }
  return log;
}

it('random programs run alike over both', () => {
  fc.assert(
    fc.property(program, (one) => {
      expect(logOf(lean, one)).toEqual(logOf(real, one));
    }),
    { numRuns: 2000 },
  );
});
