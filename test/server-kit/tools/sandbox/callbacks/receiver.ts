import { buffer } from 'node:stream/consumers';
import type { Sandbox, SandboxOptions } from '../../../../../server-kit/tools/sandbox/index.ts';
import { serve } from '../../../kit/serve.ts';
import { initiate, newSandbox } from '../sandbox-kit.ts';

/** A callback as it came. */
export type Received = {
  url: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any of its fields
  data: any;
  rawBody: string;
  headers: Headers;
  signature: string | null;
  timestamp: string | null;
};

/** A sandbox whose callbacks are received in this process. Each response has the next of `statuses`, then 204. */
export function withReceiver(statuses: number[] = [], options: SandboxOptions = {}) {
  const received: Received[] = [];
  const receive: SandboxOptions['fetch'] = async (input, init) => {
    const request = new Request(input, init);
    const rawBody = await request.text();
    const { url, headers } = request;
    const [signature, timestamp] = ['signature', 'timestamp'].map((name) => headers.get(`request-${name}`));
    received.push({ url, rawBody, headers, signature, timestamp, ...JSON.parse(rawBody) });
    return new Response(null, { status: statuses.shift() ?? 204 });
  };
  const sandbox = newSandbox({ fetch: receive, ...options });
  const { control, settled } = sandbox;
  /** Moves the clock, and lets the sandbox send what is due then. */
  const pass = async (advanceSeconds: number): Promise<void> => {
    control.setClock({ advanceSeconds });
    await settled();
  };
  const events = () => received.map(({ event }) => event);
  return { received, events, sandbox, control, settled, pass };
}

/** A payment that has failed: one callback. */
export async function fail(sandbox: Sandbox, changes: object = {}): Promise<void> {
  const { reference } = await initiate(sandbox, changes);
  sandbox.control.updatePayment(reference, { status: 'failed' });
}

/** A payment that is paid: two callbacks. */
export async function pay(sandbox: Sandbox, changes: object = {}): Promise<void> {
  const { accountNumber } = await initiate(sandbox, changes);
  sandbox.control.transfer({ accountNumber, amount: 1_250_000 });
}

/** Receives callbacks over HTTP, byte for byte. */
export async function serveReceiver() {
  const received: { rawBody: Uint8Array; signature: string; timestamp: string; contentType: string }[] = [];
  const { url } = await serve(async (request, response) => {
    const { headers } = request;
    const body = await buffer(request).catch(() => undefined);
    // The sandbox has gone before all of it was there.
    if (body === undefined) return;
    received.push({
      rawBody: new Uint8Array(body),
      signature: String(headers['request-signature']),
      timestamp: String(headers['request-timestamp']),
      contentType: String(headers['content-type']),
    });
    response.writeHead(200).end('thanks');
  });
  return { received, url: `${url}/Checkout/Callbacks?shop=Ada` };
}
