import { PaymentsError } from '../../../server-kit/core/errors.ts';
import type { Clock } from './clock.ts';

export type Conditions = {
  name: string;
  /** The shares of requests and of responses that get lost. */
  lost: number;
  /** The share of requests that are slow, and how slow they are, in milliseconds. */
  slow: number;
  slowMs: readonly [number, number];
};

/** The conditions that are compared. */
export const services: readonly Conditions[] = [
  { name: 'All is well', lost: 0.0005, slow: 0.01, slowMs: [1500, 4000] },
  { name: 'One of ten calls gets lost', lost: 0.05, slow: 0.01, slowMs: [1500, 4000] },
  { name: 'One of five calls takes 2 to 8 s', lost: 0.01, slow: 0.2, slowMs: [2000, 8000] },
  { name: 'Every call takes 3 to 5 s', lost: 0.005, slow: 1, slowMs: [3000, 5000] },
  { name: 'Every call takes 5 to 8 s', lost: 0.005, slow: 1, slowMs: [5000, 8000] },
];

export type Service = {
  /** @throws {PaymentsError} `reference_exists` */
  create: (reference: string, signal: AbortSignal) => Promise<void>;
  counts: () => { requests: number; accounts: number };
};

/** Creates a service that knows each reference once, as the real one does (interface, section 4.4). */
export function createService(conditions: Conditions, { wait }: Clock, random: () => number): Service {
  const { lost, slow, slowMs } = conditions;
  const known = new Set<string>();
  let requests = 0;
  const between = (least: number, most: number): number => least + random() * (most - least);
  const handle = async (reference: string): Promise<void> => {
    const isLost = random() < lost;
    const isResponseLost = random() < lost;
    const ms = random() < slow ? between(...slowMs) : between(150, 650);
    if (isLost) return never;
    await wait(ms * 0.9);
    const exists = known.has(reference);
    known.add(reference);
    if (isResponseLost) return never;
    await wait(ms * 0.1);
    if (exists) throw new PaymentsError('reference_exists', 'The reference is taken.', { status: 409 });
  };
  return {
    create: (reference, signal) => {
      requests++;
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      return Promise.race([handle(reference), aborted]);
    },
    counts: () => ({ requests, accounts: known.size }),
  };
}

const never = new Promise<never>(() => {});
