import {
  handlerNames,
  type OutcomeEvent,
  type OutcomeHandlers,
} from '../../../../server-kit/outbox/handlers.ts';
import { type OutboxOutcome, outboxOutcomes } from '../../../../server-kit/stores/outbox-event.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';
import type { Ledger } from './ledger.ts';

/** What a transaction of the merchant's gets: it is done when the transaction is committed. */
export type LedgerTransaction = { add: (key: string, deed: () => void) => void };

/** The merchant's handlers in one process: they throw, before or after their work; they stall; they never end. */
export function createHandlers(world: World, process: SimulatedProcess, ledger: Ledger): OutcomeHandlers {
  const { clock, count, faults, times } = world;
  const { random } = process;

  const work = async (outcome: OutboxOutcome, event: OutcomeEvent): Promise<void> => {
    const transaction = event.transaction as LedgerTransaction | undefined;
    await clock.wait(random.between(5, 300));
    if (random.chance(faults())) {
      count('handlers that threw');
      throw new Error('The merchant has a fault.');
    }
    if (random.chance(faults())) {
      count('handlers that stalled');
      // A transaction holds its lane to its end, so that one that never ends would hold it for ever.
      if (transaction === undefined && random.chance(0.05)) await new Promise(() => {});
      await clock.wait(times.leaseMs * random.between(0.5, 14));
    }
    if (event.signal.aborted) count('handlers that went on after their lease');
    const deed = (): void => ledger.complete(outcome, event);
    if (transaction === undefined) deed();
    else transaction.add(event.idempotencyKey, deed);
    if (random.chance(faults() / 4)) throw new Error('The merchant has a fault after the work.');
  };

  const handlers = outboxOutcomes.map((outcome) => [
    handlerNames[outcome],
    (event: OutcomeEvent) => {
      count('handlers called');
      return process.port(() => work(outcome, event));
    },
  ]);
  return Object.fromEntries(handlers) as OutcomeHandlers;
}
