import { buffer } from 'node:stream/consumers';
import type { SandboxOptions } from '../../../../../server-kit/tools/sandbox/index.ts';
import { serve } from '../../../kit/serve.ts';

/** A callback as it came. */
export type Received = {
  url: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any of its fields
  data: any;
  rawBody: string;
  headers: Headers;
};

/** Receives callbacks in this process. Each response has the next of `statuses`, then 204. */
export function createReceiver(statuses: (number | Error)[] = []) {
  const received: Received[] = [];
  const fetch: SandboxOptions['fetch'] = async (input, init) => {
    const request = new Request(input, init);
    const rawBody = await request.text();
    received.push({ url: request.url, rawBody, headers: request.headers, ...JSON.parse(rawBody) });
    const status = statuses.shift() ?? 204;
    if (status instanceof Error) throw status;
    return new Response(null, { status });
  };
  return { fetch, received, events: () => received.map(({ event }) => event) };
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
