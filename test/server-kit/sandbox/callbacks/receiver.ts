import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { JournalEntry, SandboxOptions, Storage } from '../../../../server-kit/sandbox/index.ts';
import { serve } from '../../raw-connection.ts';

/** A callback as it came. */
export type Received = {
  url: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a callback holds is what the tests look at
  data: any;
  rawBody: string;
  headers: Headers;
};

/** Receives callbacks in this process. Each is answered by the next of `answers`, and with 204 when none is left. */
export function createReceiver(answers: (number | Error)[] = []) {
  const received: Received[] = [];
  const fetch: SandboxOptions['fetch'] = async (input, init) => {
    const request = new Request(input, init);
    const rawBody = await request.text();
    received.push({ url: request.url, rawBody, headers: request.headers, ...JSON.parse(rawBody) });
    const answer = answers.shift() ?? 204;
    if (answer instanceof Error) throw answer;
    return new Response(null, { status: answer });
  };
  return { fetch, received, events: () => received.map(({ event }) => event) };
}

/** Receives callbacks over HTTP, byte for byte. */
export async function serveReceiver() {
  const received: { rawBody: Uint8Array; signature: string; timestamp: string; contentType: string }[] = [];
  const port = await serve(async (request, response) => {
    const { headers } = request;
    received.push({
      rawBody: new Uint8Array(await buffer(request)),
      signature: String(headers['request-signature']),
      timestamp: String(headers['request-timestamp']),
      contentType: String(headers['content-type']),
    });
    response.writeHead(200).end('thanks');
  });
  return { received, url: `http://127.0.0.1:${port}/Checkout/Callbacks?shop=Ada` };
}

/** A port at which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What outlives a sandbox, in this process. A copy goes in and out, as with a file. */
export function memoryStorage(): Storage & { entries: JournalEntry[] } {
  const entries: JournalEntry[] = [];
  return {
    entries,
    append: async (added) => void entries.push(...structuredClone(added)),
  };
}
