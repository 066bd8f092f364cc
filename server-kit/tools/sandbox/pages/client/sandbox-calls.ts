import { type ClockReading, type SandboxControl, sandboxCredentials } from 'transfer-checkout/sandbox';
import * as v from 'valibot';
import { signatureHeaders, signRequest, toTimestamp } from '../../../../core/signature.ts';
import { controlResult, createRemoteCalls } from '../../calls/control-routes.ts';

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
} & {
  /** Initiates a payment, signed with the sandbox's default secret. */
  initiate: (payment: object) => Promise<unknown>;
};
type Loose<Args> = { [Index in keyof Args]: Args[Index] extends string ? string : object };

const timeoutMs = 10_000;

/**
 * Creates the control calls. They reject with `RefusedError`, or with the failure of `fetch`. A call returns the same object
 * while its response is the same, so that nothing is rendered again.
 *
 * @param serviceUrl the base URL of the service: `http://localhost:4242/service`
 */
export function createSandboxCalls({
  serviceUrl,
  fetch = (...of) => globalThis.fetch(...of),
}: {
  serviceUrl: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}): SandboxCalls {
  const latest = new Map<string, { text: string; result: unknown }>();
  async function send(path: string, init: RequestInit): Promise<string> {
    const response = await fetch(serviceUrl + path, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.text();
    if (response.ok) return text;
    const { message, params } = v.parse(Refusal, JSON.parse(text)).error;
    throw new RefusedError(message, params);
  }
  const calls = createRemoteCalls(async (name, path, init) => {
    const text = await send(path, init);
    const known = latest.get(name);
    if (known?.text === text) return known.result;
    const result = v.parse(controlResult(name), JSON.parse(text));
    latest.set(name, { text, result });
    return result;
  }) as SandboxCalls;
  return {
    ...calls,
    async initiate(payment) {
      const { now } = await calls.readClock();
      const path = '/v1/payments';
      const timestamp = toTimestamp(Date.parse(now));
      const body = { paymentMethod: 'pay_with_transfer', ...payment };
      const secret = sandboxCredentials.apiSecret;
      const { bodyText = '', signature } = await signRequest({ secret, path, body, timestamp });
      const headers = {
        'content-type': 'application/json',
        [signatureHeaders.signature]: signature,
        [signatureHeaders.timestamp]: timestamp,
      };
      return send(path, { method: 'POST', headers, body: bodyText });
    },
  };
}

/** Sets the sandbox's clock to the machine's time and unfreezes it. */
export async function returnToRealTime({ readClock, setClock }: SandboxCalls): Promise<ClockReading> {
  const { now, offsetSeconds } = await readClock();
  const real = new Date(Date.parse(now) - offsetSeconds * 1000).toISOString();
  return setClock({ set: real, frozen: false });
}
