import type { PaymentsClient } from '../../../../server-kit/client/client.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';

type Verification = { atMs: number; charged: number };

/** Checks that each verification has a permit, that none runs twice at once, and that one follows each callback. */
export type Observer = {
  /** The service has sent its response, which may still be lost. */
  responded: (process: SimulatedProcess, path: string, response: Response) => Promise<void>;
  /** The response has arrived at the process. */
  received: (process: SimulatedProcess, path: string, status: number) => void;
  /** The shop has acknowledged a callback that was sent at this time. */
  acknowledged: (reference: string, sentAtMs: number) => void;
  /** When the latest acknowledged callback about this payment was sent; 0 for never. */
  calledBackAt: (reference: string) => number;
  /** The references of acknowledged callbacks without a later verification. */
  callbacksWithoutVerification: () => readonly string[];
  /** The last response of the service to this process about this payment. */
  lastVerification: (process: SimulatedProcess, reference: string) => Verification | undefined;
  /** The process was granted one permit. */
  permitted: (process: SimulatedProcess) => void;
  /** A session request has begun (1) or ended (-1). To decide on a new account, it may verify without a permit. */
  deciding: (process: SimulatedProcess, by: 1 | -1) => void;
  /** Returns a client that counts and checks its verifications. */
  watch: (process: SimulatedProcess, client: PaymentsClient) => PaymentsClient;
};

/** The longest pause of the simulated store, twice. */
const slowStoreMs = 25_000;

const verifyPath = /^\/v1\/payments\/([^/]+)\/verify$/;

export function createObserver(world: World): Observer {
  const { clock, count, peak, violate } = world;
  const verifications = new Map<string, Verification>();
  /** By reference: the time of the last verification whose response arrived, and of the last acknowledged callback. */
  const verifiedAt = new Map<string, number>();
  const calledBackAt = new Map<string, number>();
  const inFlight = new Map<string, number>();
  const accounts = new Map<SimulatedProcess, { credits: number; deciding: number; borrowed: number }>();
  const perSecond = { second: 0, verifications: 0 };

  const accountOf = (process: SimulatedProcess) => {
    const account = accounts.get(process) ?? { credits: 0, deciding: 0, borrowed: 0 };
    accounts.set(process, account);
    return account;
  };

  function spend(process: SimulatedProcess, reference: string): void {
    const account = accountOf(process);
    const second = Math.floor(clock.now() / 1000);
    if (perSecond.second !== second) Object.assign(perSecond, { second, verifications: 0 });
    peak('verifications in a second', ++perSecond.verifications);
    count('verifications');
    if (account.credits > 0) {
      account.credits--;
      // This may be the verification that needs no permit; then a later one lacks its own.
      if (account.deciding > 0) account.borrowed++;
    } else if (account.deciding > 0) count('verifications before a new account');
    else if (account.borrowed > 0) account.borrowed--;
    else violate('a verification has its permit', reference, `${process.name} verified without one`);
  }

  const keyOf = (process: SimulatedProcess, reference: string): string => `${process.name} ${reference}`;

  const latest = (moments: ReadonlyMap<string, number>, reference: string): number =>
    moments.get(reference) ?? 0;
  const latestVerification = (process: SimulatedProcess, reference: string): number =>
    verifications.get(keyOf(process, reference))?.atMs ?? 0;

  return {
    async responded(process, path, response) {
      const { status } = response;
      const reference = verifyPath.exec(path)?.[1];
      world.note(reference, () => `${process.name}: the service responded to ${path} with ${status}`);
      // 404: a link that was never opened holds no money.
      if (reference === undefined || (status !== 200 && status !== 404)) return;
      // Read from the response, because the node that sent it may lag behind the others.
      const { status: state, chargedAmount = 0 } = (await response.json()) as {
        status?: string;
        chargedAmount?: number;
      };
      const charged = state === 'reversed' ? 0 : chargedAmount;
      verifications.set(keyOf(process, reference), { atMs: clock.now(), charged });
    },
    received(process, path, status) {
      const reference = verifyPath.exec(path)?.[1];
      if (reference === undefined || status !== 200) return;
      verifiedAt.set(
        reference,
        Math.max(latest(verifiedAt, reference), latestVerification(process, reference)),
      );
    },
    acknowledged: (reference, sentAtMs) =>
      void calledBackAt.set(reference, Math.max(latest(calledBackAt, reference), sentAtMs)),
    calledBackAt: (reference) => latest(calledBackAt, reference),
    callbacksWithoutVerification: () =>
      [...calledBackAt].flatMap(([reference, atMs]) =>
        latest(verifiedAt, reference) < atMs ? reference : [],
      ),
    lastVerification: (process, reference) => verifications.get(keyOf(process, reference)),
    permitted: (process) => void accountOf(process).credits++,
    deciding(process, by) {
      const account = accountOf(process);
      if (by === 1) account.deciding++;
      // What a request has counted may start after its deadline, when the store was slow.
      else clock.after(slowStoreMs, () => account.deciding--);
    },
    watch(process, client) {
      const verify: PaymentsClient['payments']['verify'] = async (reference, options) => {
        const key = keyOf(process, reference);
        const concurrent = (inFlight.get(key) ?? 0) + 1;
        inFlight.set(key, concurrent);
        if (concurrent > 1)
          violate('one verification at a time', reference, `${process.name} makes ${concurrent} at once`);
        spend(process, reference);
        try {
          return await client.payments.verify(reference, options);
        } finally {
          inFlight.set(key, (inFlight.get(key) ?? 1) - 1);
        }
      };
      return { ...client, payments: { ...client.payments, verify } };
    },
  };
}
