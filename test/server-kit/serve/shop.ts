import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

export const secret = `whsec_${btoa('a secret of thirty-two characters')}`;

export type ShopRequest = { path: string; headers: IncomingHttpHeaders; body: Record<string, unknown> };
export type ShopResponse = { status: number; body?: unknown; headers?: Record<string, string> };

/** A shop that checks each signature with the specification's own library, and responds as the test says. */
export async function startShop(respond: (request: ShopRequest) => ShopResponse, statusForForged = 400) {
  const requests: ShopRequest[] = [];
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    const sent = await text(request);
    let body: ShopRequest['body'];
    try {
      body = new Webhook(secret).verify(sent, headers as Record<string, string>) as typeof body;
    } catch {
      response.writeHead(statusForForged).end();
      return;
    }
    requests.push({ path, headers, body });
    const { status, body: content, headers: more } = respond({ path, headers, body });
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(content === undefined ? undefined : JSON.stringify(content));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    requests,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
