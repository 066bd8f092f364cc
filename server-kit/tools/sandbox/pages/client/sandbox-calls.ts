import type { SandboxControl } from 'transfer-checkout/sandbox';
import * as v from 'valibot';
import { controlResult, createRemoteCalls } from '../../control/control-routes.ts';

/** The sandbox refused a call; the message is the sandbox's. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** The fields at fault. */
  readonly params: readonly string[];

  constructor(message: string, params: readonly string[] = []) {
    super(message);
    this.params = params;
  }
}

const Refusal = v.object({
  error: v.object({ message: v.string(), params: v.optional(v.array(v.string()), []) }),
});

/** The sandbox's control calls over HTTP. An input is any object: it can come from a form, and the sandbox validates it. */
export type SandboxCalls = {
  readonly [Name in keyof SandboxControl]: (
    ...args: Loose<Parameters<SandboxControl[Name]>>
  ) => Promise<ReturnType<SandboxControl[Name]>>;
};
type Loose<Args> = { [Index in keyof Args]: Args[Index] extends string ? string : object };

export type SandboxCallsOptions = {
  /** The base URL of the service: `http://localhost:4242/service`. */
  serviceUrl: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

const timeoutMs = 10_000;

/**
 * Creates the control calls. They reject with `RefusedError`, with `ValiError` for an unexpected response, or with the
 * failure of `fetch`. A call returns the same object while its response is the same, so that nothing is rendered again.
 */
export function createSandboxCalls({
  serviceUrl,
  fetch = (...of) => globalThis.fetch(...of),
}: SandboxCallsOptions): SandboxCalls {
  const latest = new Map<string, { text: string; result: unknown }>();
  return createRemoteCalls(async (name, path, init) => {
    const response = await fetch(serviceUrl + path, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.text();
    if (!response.ok) {
      const { message, params } = v.parse(Refusal, JSON.parse(text)).error;
      throw new RefusedError(message, params);
    }
    const known = latest.get(name);
    if (known?.text === text) return known.result;
    const result = v.parse(controlResult(name), JSON.parse(text));
    latest.set(name, { text, result });
    return result;
  }) as SandboxCalls;
}
