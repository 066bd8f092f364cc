export type Random = {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next: () => number;
  chance: (probability: number) => boolean;
  /** A number from `least` (inclusive) to `most` (exclusive). */
  between: (least: number, most: number) => number;
  /** An integer from `least` to `most`, both inclusive. */
  whole: (least: number, most: number) => number;
  pick: <T>(choices: readonly T[]) => T;
  bytes: (length: number) => Uint8Array;
  /** Creates an independent generator: numbers drawn from it do not affect this one. */
  fork: (name: string | number) => Random;
};

export function createRandom(seed: string): Random {
  let [a, b, c] = [hash(`${seed}a`), hash(`${seed}b`), hash(`${seed}c`)];
  let counter = 1;
  // sfc32: with 128 bits of state, the sequences of different seeds do not overlap.
  const next = (): number => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The first numbers of similar seeds are similar.
  for (let index = 0; index < 12; index++) next();
  const between = (least: number, most: number): number => least + next() * (most - least);
  const whole = (least: number, most: number): number => Math.floor(between(least, most + 1));
  return {
    next,
    chance: (probability) => next() < probability,
    between,
    whole,
    pick: (choices) => choices[whole(0, choices.length - 1)] as (typeof choices)[number],
    bytes: (length) => Uint8Array.from({ length }, () => whole(0, 255)),
    fork: (name) => createRandom(`${seed}/${name}`),
  };
}

/** FNV-1a with a final mix, because many seeds differ only in their last character. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return value ^ (value >>> 13);
}
