import type { ClockReading, SandboxControl } from 'transfer-checkout/sandbox';
import * as v from 'valibot';
import { controlResult, createRemoteCalls } from '../../calls/control-routes.ts';

/** The sandbox refused a call; the message is the sandbox's. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

const Refusal = v.object({ error: v.object({ message: v.string() }) });

/** The sandbox's control calls over HTTP. An input is any object: it can come from a form, and the sandbox validates it. */
export type SandboxCalls = {
  readonly [Name in keyof SandboxControl]: (
    ...args: Loose<Parameters<SandboxControl[Name]>>
  ) => Promise<ReturnType<SandboxControl[Name]>>;
};
type Loose<Args> = { [Index in keyof Args]: Args[Index] extends string ? string : object };

const timeoutMs = 10_000;

/**
 * Creates the control calls. They reject with `RefusedError`, or with the failure of `fetch`. A call returns the same object while its
 * response is the same, so that nothing is rendered again.
 */
export function createSandboxCalls({
  serviceUrl,
  fetch = (...of) => globalThis.fetch(...of),
}: {
  serviceUrl: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}): SandboxCalls {
  const latest = new Map<string, { text: string; result: unknown }>();
  return createRemoteCalls(async (name, path, init) => {
    const response = await fetch(serviceUrl + path, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.text();
    if (!response.ok) throw new RefusedError(v.parse(Refusal, JSON.parse(text)).error.message);
    const known = latest.get(name);
    if (known?.text === text) return known.result;
    const result = v.parse(controlResult(name), JSON.parse(text));
    latest.set(name, { text, result });
    return result;
  }) as SandboxCalls;
}

/** Sets the sandbox's clock to the machine's time and unfreezes it. */
export async function returnToRealTime({ readClock, setClock }: SandboxCalls): Promise<ClockReading> {
  const { now, offsetSeconds } = await readClock();
  const real = new Date(Date.parse(now) - offsetSeconds * 1000).toISOString();
  return setClock({ set: real, frozen: false });
}
