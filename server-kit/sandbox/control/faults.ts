import * as v from 'valibot';
import { endpoints, type Operation } from '../../api/endpoints.ts';
import { exactObject } from '../../api/fields.ts';
import { found } from '../errors/sandbox-error.ts';
import { maxSeconds, Probability, WholeNumber, wholeNumberUpTo } from '../input/fields.ts';
import { parseInput } from '../input/parse-input.ts';
import { type Fault, faultKinds } from '../records/fault.ts';
import type { SandboxWorld } from '../world/world.ts';
import { type ControlCall, controlCallsOf } from './control-call.ts';

/** What a fault can be made for: each operation, and `*` for all. */
export const faultOperations = ['*', ...(Object.keys(endpoints) as Operation[])] as const;

const isStatus = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 400 && Number(value) < 600;

const waitsWithRetryAfter: readonly unknown[] = [429, 503];

/** What `Fault` says of its fields. */
export const FaultInput = v.pipe(
  exactObject({
    operation: v.picklist(faultOperations, `must be one of ${faultOperations.join(', ')}`),
    status: v.union(
      [v.custom<number>(isStatus), v.picklist(faultKinds)],
      `must be an HTTP status from 400 to 599, or one of ${faultKinds.join(', ')}`,
    ),
    /** Default: 1, or for ever where there is a probability. */
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
        retryAfterSeconds === undefined || waitsWithRetryAfter.includes(status),
      'goes with the statuses 429 and 503 only',
    ),
    ['retryAfterSeconds'],
  ),
);
export type FaultInput = v.InferInput<typeof FaultInput>;

export type FaultsControl = {
  /** The faults that are still to hit something, oldest first: the order in which they are tried. */
  listFaults: () => readonly Fault[];
  /**
   * Makes requests to endpoints go wrong, whoever sends them and however they are signed. Kept across restarts, as
   * everything is that was set.
   *
   * Refuses with `validation_failed`.
   */
  addFault: (input: FaultInput) => Fault;
  /**
   * Removes a fault, and gives it.
   *
   * Refuses with `fault_not_found`.
   */
  removeFault: (id: string) => Fault;
  /** Removes all faults, and gives them. */
  removeFaults: () => readonly Fault[];
};

export function createFaultsControl({ state, mint }: SandboxWorld): FaultsControl {
  const listFaults = (): Fault[] => [...state.faults.list()].reverse();
  function removeFault(id: string): Fault {
    const message = `No fault has the id "${id}"; it may have hit as often as it should.`;
    const fault = found(state.faults.get(id), 'fault_not_found', message);
    state.faults.remove(id);
    return fault;
  }
  return {
    listFaults,
    addFault: (input) => state.faults.put(toFault(mint.id('flt'), input)),
    removeFault,
    removeFaults: () => listFaults().map(({ id }) => removeFault(id)),
  };
}

function toFault(id: string, input: FaultInput): Fault {
  const { operation, status, phase, ...given } = parseInput(FaultInput, input);
  const { probability = null, times = probability === null ? 1 : null } = given;
  const { latencyMs = status === 'slow' ? 3000 : 0 } = given;
  const { retryAfterSeconds = waitsWithRetryAfter.includes(status) ? 1 : null } = given;
  return { id, operation, status, phase, times, probability, latencyMs, retryAfterSeconds };
}

const call = controlCallsOf<FaultsControl>();

export const faultCalls = {
  listFaults: call({
    method: 'GET',
    path: '/_sandbox/faults',
    summary: 'The faults that are still to hit something, oldest first: { data }',
    answer: (control) => ({ data: control.listFaults() }),
  }),
  addFault: call({
    method: 'POST',
    path: '/_sandbox/faults',
    summary: 'Makes requests to one endpoint, or to all, go wrong, and answers with the fault',
    request: FaultInput,
    answer: (control, _parameters, body) => control.addFault(body),
  }),
  removeFault: call({
    method: 'DELETE',
    path: '/_sandbox/faults/{id}',
    summary: 'Removes a fault, and answers with it',
    answer: (control, { id }) => control.removeFault(id),
  }),
  removeFaults: call({
    method: 'DELETE',
    path: '/_sandbox/faults',
    summary: 'Removes all faults: { data }',
    answer: (control) => ({ data: control.removeFaults() }),
  }),
} satisfies Record<keyof FaultsControl, ControlCall<FaultsControl>>;
