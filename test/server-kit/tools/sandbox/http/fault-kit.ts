import type { FaultInput, Sandbox } from '../../../../../server-kit/tools/sandbox/index.ts';
import { call, goodBody, newSandbox, type ReadResponse } from '../sandbox-kit.ts';

export const initiation = 'payments.initiate';

/** Initiates a payment, and ignores the result. */
export const start = (sandbox: Sandbox, changes: object = {}): Promise<ReadResponse> =>
  call(sandbox, '/v1/payments', { body: { ...goodBody, ...changes } });

/** A sandbox with one fault at initiating payments. */
export function withFault(input: Partial<FaultInput>): Sandbox {
  const sandbox = newSandbox();
  sandbox.control.addFault({ operation: initiation, status: 500, ...input });
  return sandbox;
}
