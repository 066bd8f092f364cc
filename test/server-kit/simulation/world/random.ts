/** Randomness that is the same for the same seed. */
export type Random = {
  /** From 0 up to, not including, 1. */
  next: () => number;
  chance: (probability: number) => boolean;
  /** A number from `least` up to, not including, `most`. */
  between: (least: number, most: number) => number;
  /** A whole number from `least` to `most`. */
  whole: (least: number, most: number) => number;
  pick: <T>(choices: readonly T[]) => T;
  bytes: (length: number) => Uint8Array;
  /** Randomness of its own: what is drawn from it changes nothing that is drawn elsewhere. */
  fork: (name: string | number) => Random;
};

export function createRandom(seed: string): Random {
  let [a, b, c] = [hash(`${seed}a`), hash(`${seed}b`), hash(`${seed}c`)];
  let counter = 1;
  // Small fast counter (sfc32): with 128 bits of state, streams of different seeds do not run into each other.
  const next = (): number => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The first numbers still show how alike the seeds are.
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

/** FNV-1a, with its bits spread further, because seeds differ in their last character only. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return value ^ (value >>> 13);
}
