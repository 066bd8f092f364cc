import type { OutcomeEvent, OutcomeHandlers } from '../../../../server-kit/engine/outbox/handlers.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';
import type { Ledger } from './ledger.ts';

/** A transaction of the merchant's database. `record` runs when it commits. */
export type LedgerTransaction = { add: (key: string, record: () => void) => void };

/** Creates the merchant's handlers in one process: they throw before or after their work, stall, or never end. */
export function createHandlers(world: World, process: SimulatedProcess, ledger: Ledger): OutcomeHandlers {
  const { clock, count, faults, times } = world;
  const { random } = process;

  const work = async (event: OutcomeEvent): Promise<void> => {
    const transaction = event.transaction as LedgerTransaction | undefined;
    await clock.wait(random.between(5, 300));
    if (random.chance(faults())) {
      count('handlers that threw');
      throw new Error('Simulated failure before the work.');
    }
    if (random.chance(faults())) {
      count('handlers that stalled');
      // Not in a transaction, which would block its lane forever.
      if (transaction === undefined && random.chance(0.05)) await new Promise(() => {});
      await clock.wait(times.leaseMs * random.between(0.5, 14));
    }
    if (event.signal.aborted) count('handlers that outlived their lease');
    const record = (): void => ledger.complete(event.outcome, event);
    if (transaction === undefined) record();
    else transaction.add(event.idempotencyKey, record);
    if (random.chance(faults() / 4)) throw new Error('Simulated failure after the work.');
  };

  const handle = (event: OutcomeEvent) => {
    count('handlers called');
    return process.port(() => work(event));
  };
  return { onPaid: handle, onExpired: handle, onFailed: handle, onAttention: handle };
}
