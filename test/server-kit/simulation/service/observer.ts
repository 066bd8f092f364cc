import type { PaymentsClient } from '../../../../server-kit/client/client.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';

type Verification = { atMs: number; charged: number };

/** Observes the requests to the service: whether verifications have a permit, never run twice at once, and follow each callback. */
export type Observer = {
  /** The service has done what was asked for at this path. */
  responded: (process: SimulatedProcess, path: string, response: Response) => Promise<void>;
  /** The response has arrived. */
  heard: (process: SimulatedProcess, path: string, status: number) => void;
  /** A callback about this payment, which was sent at that moment, was acknowledged. */
  acknowledged: (reference: string, sentAtMs: number) => void;
  /** When the latest callback about this payment that was acknowledged was sent; 0 for never. */
  calledBackAt: (reference: string) => number;
  /** The callbacks that no verification has followed. */
  callbacksWithoutVerification: () => readonly string[];
  /** The last response of the service to this process about this payment. */
  lastVerification: (process: SimulatedProcess, reference: string) => Verification | undefined;
  /** One permit was granted. */
  permitted: (process: SimulatedProcess) => void;
  /** A request for a session is under way: it may verify without a permit if it decides on a new account. */
  deciding: (process: SimulatedProcess, by: 1 | -1) => void;
  /** The client as the engine gets it, with its verifications counted. */
  watch: (process: SimulatedProcess, client: PaymentsClient) => PaymentsClient;
};

const verifyPath = /^\/v1\/payments\/([^/]+)\/verify$/;

export function createObserver(world: World): Observer {
  const { clock, count, peak, violate } = world;
  const verifications = new Map<string, Verification>();
  /** By reference: when the last verification with a response was made, and when the last callback was sent. */
  const verifiedAt = new Map<string, number>();
  const calledBackAt = new Map<string, number>();
  const asked = new Map<string, number>();
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
      // It may have been the one that needs no permit, which has then used that of a later verification.
      if (account.deciding > 0) account.borrowed++;
    } else if (account.deciding > 0) count('verifications that decide on an account');
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
      // 404: of a link that nobody has opened, which holds nothing.
      if (reference === undefined || (status !== 200 && status !== 404)) return;
      // What the service has said: one of its nodes may be behind the others.
      const { chargedAmount: charged = 0 } = (await response.json()) as { chargedAmount?: number };
      verifications.set(keyOf(process, reference), { atMs: clock.now(), charged });
    },
    heard(process, path, status) {
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
    deciding: (process, by) => {
      accountOf(process).deciding += by;
    },
    watch(process, client) {
      const verify: PaymentsClient['payments']['verify'] = async (reference, options) => {
        const key = keyOf(process, reference);
        const underWay = (asked.get(key) ?? 0) + 1;
        asked.set(key, underWay);
        if (underWay > 1)
          violate('one verification at a time', reference, `${process.name} makes ${underWay} at once`);
        spend(process, reference);
        try {
          return await client.payments.verify(reference, options);
        } finally {
          asked.set(key, (asked.get(key) ?? 1) - 1);
        }
      };
      return { ...client, payments: { ...client.payments, verify } };
    },
  };
}
