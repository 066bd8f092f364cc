import type { PaymentsClient } from '../../../../server-kit/client/client.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';

type Look = { atMs: number; charged: number };

/** Watches what goes to the service: whether looks are paid for, never doubled, and made where a callback asks for one. */
export type Observer = {
  /** The service has done what was asked for at this path. */
  answered: (process: SimulatedProcess, path: string, response: Response) => Promise<void>;
  /** Its answer has arrived. */
  heard: (process: SimulatedProcess, path: string, status: number) => void;
  /** A callback about this payment, which was sent at that moment, was acknowledged. */
  acknowledged: (reference: string, sentAtMs: number) => void;
  /** When the latest callback about this payment that was acknowledged was sent; 0 for never. */
  calledBackAt: (reference: string) => number;
  /** The callbacks that no look has followed. */
  unanswered: () => readonly string[];
  /** What the service last answered this process about this payment. */
  lastLook: (process: SimulatedProcess, reference: string) => Look | undefined;
  /** One look is paid for. */
  permitted: (process: SimulatedProcess) => void;
  /** A request for a session is under way: it may look without a permit, where it decides on a new account. */
  deciding: (process: SimulatedProcess, by: 1 | -1) => void;
  /** The client as the engine gets it, with its looks counted. */
  watch: (process: SimulatedProcess, client: PaymentsClient) => PaymentsClient;
};

const verifyPath = /^\/v1\/payments\/([^/]+)\/verify$/;

export function createObserver(world: World): Observer {
  const { clock, count, peak, violate } = world;
  const looks = new Map<string, Look>();
  /** By reference: when the last look was made whose answer has arrived, and when the last callback was sent. */
  const lookedAt = new Map<string, number>();
  const calledBackAt = new Map<string, number>();
  const asked = new Map<string, number>();
  const accounts = new Map<SimulatedProcess, { credits: number; deciding: number; borrowed: number }>();
  const perSecond = { second: 0, looks: 0 };

  const accountOf = (process: SimulatedProcess) => {
    const account = accounts.get(process) ?? { credits: 0, deciding: 0, borrowed: 0 };
    accounts.set(process, account);
    return account;
  };

  function spend(process: SimulatedProcess, reference: string): void {
    const account = accountOf(process);
    const second = Math.floor(clock.now() / 1000);
    if (perSecond.second !== second) Object.assign(perSecond, { second, looks: 0 });
    peak('looks in a second', ++perSecond.looks);
    count('looks');
    if (account.credits > 0) {
      account.credits--;
      // It may have been the one that needs no permit, which has then taken that of a look yet to come.
      if (account.deciding > 0) account.borrowed++;
    } else if (account.deciding > 0) count('looks that decide on an account');
    else if (account.borrowed > 0) account.borrowed--;
    else violate('a look has its permit', reference, `${process.name} looked without one`);
  }

  const lookKey = (process: SimulatedProcess, reference: string): string => `${process.name} ${reference}`;

  const latest = (moments: ReadonlyMap<string, number>, reference: string): number =>
    moments.get(reference) ?? 0;
  const latestLook = (process: SimulatedProcess, reference: string): number =>
    looks.get(lookKey(process, reference))?.atMs ?? 0;

  return {
    async answered(process, path, response) {
      const { status } = response;
      const reference = verifyPath.exec(path)?.[1];
      world.tell(reference, () => `${process.name}: the service answered ${path} with ${status}`);
      // 404: of a link that nobody has opened, which holds nothing.
      if (reference === undefined || (status !== 200 && status !== 404)) return;
      // What the service has said: one of its nodes may be behind the others.
      const { chargedAmount: charged = 0 } = (await response.json()) as { chargedAmount?: number };
      looks.set(lookKey(process, reference), { atMs: clock.now(), charged });
    },
    heard(process, path, status) {
      const reference = verifyPath.exec(path)?.[1];
      if (reference === undefined || status !== 200) return;
      lookedAt.set(reference, Math.max(latest(lookedAt, reference), latestLook(process, reference)));
    },
    acknowledged: (reference, sentAtMs) =>
      void calledBackAt.set(reference, Math.max(latest(calledBackAt, reference), sentAtMs)),
    calledBackAt: (reference) => latest(calledBackAt, reference),
    unanswered: () =>
      [...calledBackAt].flatMap(([reference, atMs]) => (latest(lookedAt, reference) < atMs ? reference : [])),
    lastLook: (process, reference) => looks.get(lookKey(process, reference)),
    permitted: (process) => void accountOf(process).credits++,
    deciding: (process, by) => {
      accountOf(process).deciding += by;
    },
    watch(process, client) {
      const verify: PaymentsClient['payments']['verify'] = async (reference, options) => {
        const key = lookKey(process, reference);
        const underWay = (asked.get(key) ?? 0) + 1;
        asked.set(key, underWay);
        if (underWay > 1)
          violate('one look at a time', reference, `${process.name} makes ${underWay} at once`);
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
