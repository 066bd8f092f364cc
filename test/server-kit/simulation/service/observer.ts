import type { PaymentsClient } from '../../../../server-kit/core/client.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';

const verifyPath = /^\/v1\/payments\/([^/]+)\/verify$/;

export type Observer = ReturnType<typeof createObserver>;

/** Creates the checks that no verification runs twice at once, and that one follows each callback. */
export function createObserver(world: World) {
  const { clock, count, violate } = world;
  const verifications = new Map<string, { atMs: number; charged: number }>();
  /** By reference: the time of the last verification whose response arrived, and of the last acknowledged callback. */
  const verifiedAt = new Map<string, number>();
  const calledBackAt = new Map<string, number>();
  const inFlight = new Map<string, number>();
  const keyOf = (process: SimulatedProcess, reference: string): string => `${process.name} ${reference}`;
  const latest = (moments: ReadonlyMap<string, number>, reference: string): number =>
    moments.get(reference) ?? 0;
  const note = (moments: Map<string, number>, reference: string, atMs: number): void =>
    void moments.set(reference, Math.max(latest(moments, reference), atMs));

  return {
    /** The service has sent its response, which may still be lost. */
    async responded(process: SimulatedProcess, path: string, response: Response): Promise<void> {
      const { status } = response;
      const reference = verifyPath.exec(path)?.[1];
      world.note(reference, () => `${process.name}: the service responded to ${path} with ${status}`);
      // 404: a link that was never opened holds no money.
      if (reference === undefined || (status !== 200 && status !== 404)) return;
      // Read from the response, because the node that sent it may lag behind the others.
      const body = (await response.json()) as { status?: string; chargedAmount?: number };
      const charged = body.status === 'reversed' ? 0 : (body.chargedAmount ?? 0);
      verifications.set(keyOf(process, reference), { atMs: clock.now(), charged });
    },
    received(process: SimulatedProcess, path: string, status: number): void {
      const reference = verifyPath.exec(path)?.[1];
      if (reference === undefined || status !== 200) return;
      note(verifiedAt, reference, verifications.get(keyOf(process, reference))?.atMs ?? 0);
    },
    /** The shop has acknowledged a callback that was sent at this time. */
    acknowledged: (reference: string, sentAtMs: number) => note(calledBackAt, reference, sentAtMs),
    /** When the latest acknowledged callback about this payment was sent; 0 for never. */
    calledBackAt: (reference: string) => latest(calledBackAt, reference),
    /** The references of acknowledged callbacks without a later verification. */
    callbacksWithoutVerification: () =>
      [...calledBackAt].flatMap(([reference, atMs]) =>
        latest(verifiedAt, reference) < atMs ? reference : [],
      ),
    lastVerification: (process: SimulatedProcess, reference: string) =>
      verifications.get(keyOf(process, reference)),
    watch(process: SimulatedProcess, client: PaymentsClient): PaymentsClient {
      const verify: PaymentsClient['payments']['verify'] = async (reference, options) => {
        const key = keyOf(process, reference);
        const concurrent = (inFlight.get(key) ?? 0) + 1;
        inFlight.set(key, concurrent);
        if (concurrent > 1)
          violate('one verification at a time', reference, `${process.name} makes ${concurrent} at once`);
        count('verifications');
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
