import type { Operation } from '../../../service/endpoints.ts';
import type { ErrorType } from '../errors.ts';
import { SandboxError } from '../errors.ts';
import type { Fault } from '../records/fault.ts';
import type { SandboxWorld } from '../world/create-world.ts';
import { type BrokenConnection, type JsonResponse, toErrorResponse } from './responses.ts';

/** Returns the operation's response, or the one that a fault puts in its place. `signal` aborts when the client disconnects. */
export async function respondWithFaults(
  operation: Operation,
  signal: AbortSignal,
  world: SandboxWorld,
  run: () => Promise<JsonResponse>,
  onFault: (fault: string) => void,
): Promise<JsonResponse | BrokenConnection> {
  const fault = takeFault(world, operation);
  if (fault === undefined) return run();
  onFault(`${fault.status}, ${fault.phase} the operation`);
  const response = fault.phase === 'after' ? await run().catch(toErrorResponse) : undefined;
  try {
    if (fault.latencyMs > 0) await world.settings.wait(fault.latencyMs, signal);
    if (fault.status === 'timeout') await untilAborted(signal);
  } catch (reason) {
    return { status: null, reason };
  }
  switch (fault.status) {
    case 'slow':
      return response ?? run();
    case 'malformed':
      return {
        status: 200,
        body: response?.body ?? { message: 'This response ends early.' },
        isCutOff: true,
      };
    case 'timeout':
    case 'reset':
      return { status: null, reason: connectionReset() };
    default:
      return toErrorResponse(injectedFault(fault, fault.status));
  }
}

/** Returns the oldest fault that affects this request, and counts it at once, so that no fault occurs too often. */
function takeFault({ state, settings }: SandboxWorld, operation: Operation): Fault | undefined {
  const fault = state.faults
    .list()
    .findLast(
      (one) =>
        (one.operation === '*' || one.operation === operation) &&
        (one.probability === null || settings.random() < one.probability),
    );
  if (fault === undefined || fault.times === null) return fault;
  if (fault.times === 1) state.faults.remove(fault.id);
  else state.faults.put({ ...fault, times: fault.times - 1 });
  return fault;
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Returns the error that Node's `fetch` rejects with when the server cuts the connection. */
function connectionReset(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

const typeOf = (status: number): ErrorType => {
  if (status >= 500) return 'api_error';
  if (status === 401) return 'authentication_error';
  return status === 409 ? 'idempotency_error' : 'invalid_request_error';
};

function injectedFault({ retryAfterSeconds }: Fault, status: number): SandboxError {
  const message = 'This fault was injected on purpose; see GET /_sandbox/faults for the remaining faults.';
  return new SandboxError('injected_fault', message, {
    status,
    type: typeOf(status),
    ...(retryAfterSeconds !== null && { headers: { 'retry-after': String(retryAfterSeconds) } }),
  });
}
