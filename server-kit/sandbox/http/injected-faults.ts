import type { Operation } from '../../api/endpoints.ts';
import type { ErrorType } from '../../errors/error-envelope.ts';
import { SandboxError } from '../errors/sandbox-error.ts';
import { type Fault, takeFault } from '../records/fault.ts';
import type { SandboxWorld } from '../world/world.ts';
import { type Answer, answerError, type BrokenOff } from './responses.ts';

export type FaultyRequest = {
  operation: Operation;
  /** Aborts when the client goes. */
  signal: AbortSignal;
  /** Told of the fault that hits the request, in words. */
  onFault: (fault: string) => void;
};

/** What `answer` gives, or what a fault makes of it. */
export async function answerWithFaults(
  { operation, signal, onFault }: FaultyRequest,
  world: SandboxWorld,
  answer: () => Promise<Answer>,
): Promise<Answer | BrokenOff> {
  const fault = takeFault(world, operation);
  if (fault === undefined) return answer();
  onFault(`${fault.status}, ${fault.phase} the operation`);
  const made = fault.phase === 'after' ? await answer().catch(answerError) : undefined;
  try {
    if (fault.latencyMs > 0) await world.settings.wait(fault.latencyMs, signal);
    if (fault.status === 'timeout') await untilAborted(signal);
  } catch (reason) {
    return { status: null, brokenBy: reason };
  }
  switch (fault.status) {
    case 'slow':
      return made ?? answer();
    case 'malformed':
      return { status: 200, body: made?.body ?? { message: 'This answer breaks off.' }, isCutOff: true };
    case 'timeout':
    case 'reset':
      return { status: null, brokenBy: connectionReset() };
    default:
      return answerError(injectedFault(fault, fault.status));
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** What Node's `fetch` rejects with when the other side cuts the connection. */
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
  const message =
    'This is a fault that was made on purpose; see GET /_sandbox/faults for what is still to come.';
  return new SandboxError('injected_fault', message, {
    status,
    type: typeOf(status),
    ...(retryAfterSeconds !== null && { headers: { 'retry-after': String(retryAfterSeconds) } }),
  });
}
