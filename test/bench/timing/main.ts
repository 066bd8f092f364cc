import { randomInt } from 'node:crypto';
import type { PlainRequest } from '../../../server-kit/core/http.ts';
import { createClientSecrets } from '../../../server-kit/core/secrets.ts';
import { parseCallback } from '../../../server-kit/core/signature.ts';
import { requireOperatorKey } from '../../../server-kit/engine/routes/access/authorization.ts';
import { signCallback } from '../../../server-kit/service/signatures.ts';

/**
 * Looks for a difference in time between two wrong values of a secret, as an attacker would: wrong at the start against wrong at the end,
 * and of another length. A planted comparison that stops at the first difference shows that the measurement is fine enough.
 *
 * `npm run bench -- timing [batches]`
 */
const batches = Number(process.argv[2] ?? 4000);
const callsPerBatch = 20;
/** The t beyond which two times count as different; that of dudect. */
const limit = 4.5;

type Check = (given: string) => Promise<unknown>;
type Subject = {
  name: string;
  check: Check;
  pair: (right: string) => [string, string];
  right: string;
  isPlanted?: true;
};

const key = 'f3a9c0d1e2b4a596877869504132abcdef012345';
const now = 1_772_366_400_000;
const timestamp = String(now / 1000);
const callback = { rawBody: '{"data":{"id":"pay_1"}}', callbackUrl: 'https://shop.example/callbacks' };
const secrets = createClientSecrets([key], 600);
const limits = { take: async () => {}, clientOf: () => undefined };

const stopAtDifference: Check = async (given) => {
  for (let index = 0; index < key.length; index++) if (given[index] !== key[index]) return false;
  return given.length === key.length;
};

const compareLengthsFirst: Check = async (given) => {
  let difference = 0;
  if (given.length !== key.length) return false;
  for (let index = 0; index < key.length; index++)
    difference |= given.charCodeAt(index) ^ key.charCodeAt(index);
  return difference === 0;
};

const another = (character: string | undefined): string => (character === '0' ? '1' : '0');

/** Wrong at the start of its secret part, and at its end. The mode and the expiry of a client secret are no secrets. */
const startAndEnd = (right: string): [string, string] => {
  const from = right.lastIndexOf('_') + 1;
  return [
    right.slice(0, from) + another(right[from]) + right.slice(from + 1),
    right.slice(0, -1) + another(right.at(-1)),
  ];
};

/** Wrong, of the right length, and shorter by one. */
const twoLengths = (right: string): [string, string] => [another(right[0]) + right.slice(1), right.slice(1)];

const checkOperatorKey: Check = (token) => {
  const request = { header: () => `Bearer ${token}` } as unknown as PlainRequest;
  return requireOperatorKey({ operatorKey: key, limits }, request);
};

const subjects: readonly Subject[] = [
  {
    name: 'planted: stops at the first difference',
    check: stopAtDifference,
    right: key,
    pair: startAndEnd,
    isPlanted: true,
  },
  {
    name: 'planted: compares the lengths first',
    check: compareLengthsFirst,
    right: key,
    pair: twoLengths,
    isPlanted: true,
  },
  {
    name: 'signature of a callback, start and end',
    check: (signature) => parseCallback({ ...callback, signature, timestamp, secrets: [key], now }),
    right: await signCallback({ ...callback, secret: key, timestamp }),
    pair: startAndEnd,
  },
  {
    name: 'client secret, start and end',
    check: (secret) => secrets.verify(secret, 'tc_1', now),
    right: await secrets.issue({ reference: 'tc_1', liveMode: false, expiresAtSeconds: now / 1000 + 60 }),
    pair: startAndEnd,
  },
  { name: 'operator key, start and end', check: checkOperatorKey, right: key, pair: startAndEnd },
  { name: 'operator key, two lengths', check: checkOperatorKey, right: key, pair: twoLengths },
];

async function measure(check: Check, given: string): Promise<number> {
  const started = process.hrtime.bigint();
  for (let call = 0; call < callsPerBatch; call++) await check(given).catch(() => {});
  return Number(process.hrtime.bigint() - started) / callsPerBatch;
}

/** Returns Yuen's t of differences: a fifth, which other processes and the garbage collector have caused, only counts by its number. */
function trimmedT(differences: readonly number[]): number {
  const sorted = differences.toSorted((one, other) => one - other);
  const cut = Math.floor(sorted.length / 10);
  const [least = 0, most = 0] = [sorted[cut], sorted[sorted.length - 1 - cut]];
  const winsorized = sorted.map((difference) => Math.min(Math.max(difference, least), most));
  const meanOf = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length;
  const center = meanOf(winsorized);
  const variance = winsorized.reduce((sum, one) => sum + (one - center) ** 2, 0) / (sorted.length - 1);
  const part = 1 - (2 * cut) / sorted.length;
  return meanOf(sorted.slice(cut, -cut)) / (Math.sqrt(variance / sorted.length) / part);
}

const medianOf = (all: readonly number[]): number =>
  all.toSorted((one, other) => one - other)[all.length >> 1] ?? 0;

/** Measures two values one after the other, in random order, so that a busy machine slows down both. */
async function compare(check: Check, pair: readonly [string, string]) {
  const [ones, others]: [number[], number[]] = [[], []];
  for (let batch = -batches / 10; batch < batches; batch++) {
    const isFirst = randomInt(2) === 0;
    const before = await measure(check, pair[isFirst ? 0 : 1]);
    const after = await measure(check, pair[isFirst ? 1 : 0]);
    // The first ones only warm up.
    if (batch < 0) continue;
    ones.push(isFirst ? before : after);
    others.push(isFirst ? after : before);
  }
  const t = trimmedT(ones.map((one, index) => one - (others[index] ?? 0)));
  return { t, one: medianOf(ones), other: medianOf(others) };
}

let isAsExpected = true;
for (const subject of subjects) {
  const { t, one, other } = await compare(subject.check, subject.pair(subject.right));
  const isDifferent = Math.abs(t) > limit;
  isAsExpected &&= isDifferent === (subject.isPlanted === true);
  const verdict = isDifferent ? 'different' : 'no difference';
  const means = `${one.toFixed(0)} and ${other.toFixed(0)} ns`;
  process.stdout.write(`${subject.name}: ${means}, t = ${t.toFixed(1)}: ${verdict}\n`);
}
process.exitCode = isAsExpected ? 0 : 1;
