import * as v from 'valibot';
import { endpoints, type Operation } from '../../../service/endpoints.ts';
import { findOrRefuse } from '../errors.ts';
import { maxSeconds, Probability, parseInput, WholeNumber, wholeNumberUpTo } from '../input/fields.ts';
import { type Fault, faultKinds } from '../records/fault.ts';
import type { SandboxWorld } from '../world/create-world.ts';
import type { ControlCalls } from './handler.ts';

/** The operations that a fault can affect; `*` for all. */
export const faultOperations = ['*', ...(Object.keys(endpoints) as Operation[])] as const;

const isStatus = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 400 && Number(value) < 600;

const statusesWithRetryAfter: readonly unknown[] = [429, 503];

/** The fields are described in `Fault`. */
export const FaultInput = v.pipe(
  v.strictObject({
    operation: v.picklist(faultOperations, `must be one of ${faultOperations.join(', ')}`),
    status: v.union(
      [v.custom<number>(isStatus), v.picklist(faultKinds)],
      `must be an HTTP status from 400 to 599, or one of ${faultKinds.join(', ')}`,
    ),
    /** Default: 1; no limit with a probability. */
    times: v.optional(WholeNumber),
    /** Default: always. */
    probability: v.optional(Probability),
    /** Default: 3000 for `slow`, else 0. At most ten minutes. */
    latencyMs: v.optional(wholeNumberUpTo(600_000)),
    /** Default: `before`. */
    phase: v.optional(v.picklist(['before', 'after'], 'must be before or after'), 'before'),
    /** For 429 and 503. Default: 1. */
    retryAfterSeconds: v.optional(wholeNumberUpTo(maxSeconds)),
  }),
  v.forward(
    v.check(
      ({ status, retryAfterSeconds }) =>
        retryAfterSeconds === undefined || statusesWithRetryAfter.includes(status),
      'is allowed only with the statuses 429 and 503',
    ),
    ['retryAfterSeconds'],
  ),
);
export type FaultInput = v.InferInput<typeof FaultInput>;

export const faultCalls = {
  /** Lists the remaining faults in the order in which they are tried: oldest first. */
  listFaults: { run: listFaults },
  /**
   * Makes requests to endpoints fail, from any sender and with any signature. Faults survive a restart. Refuses with `validation_failed`.
   */
  addFault: {
    request: FaultInput,
    run: ({ state, mint }, input: FaultInput) => state.faults.put(toFault(mint.id('flt'), input)),
  },
  /** Removes a fault and returns it. Refuses with `fault_not_found`. */
  removeFault: { run: removeFault },
  /** Removes all faults and returns them. */
  removeFaults: {
    run: (world) => listFaults(world).map(({ id }) => removeFault(world, id)),
  },
} satisfies ControlCalls;

function listFaults({ state }: SandboxWorld): readonly Fault[] {
  return state.faults.list().toReversed();
}

function removeFault({ state }: SandboxWorld, id: string): Fault {
  const message = `No fault has the id "${id}"; it may have been used up.`;
  const fault = findOrRefuse(state.faults.get(id), 'fault_not_found', message);
  state.faults.remove(id);
  return fault;
}

function toFault(id: string, input: FaultInput): Fault {
  const { operation, status, phase, ...given } = parseInput(FaultInput, input);
  const { probability = null, times = probability === null ? 1 : null } = given;
  const { latencyMs = status === 'slow' ? 3000 : 0 } = given;
  const { retryAfterSeconds = statusesWithRetryAfter.includes(status) ? 1 : null } = given;
  return { id, operation, status, phase, times, probability, latencyMs, retryAfterSeconds };
}
