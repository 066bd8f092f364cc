import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type FaultyWire = {
  url: string;
  /** From now on every connection is dropped. */
  cut: () => void;
  mend: () => void;
  /** How many requests were dropped so far. */
  refused: () => number;
};

/** A wire to a server that a test can cut. What passes is passed as it is. */
export async function startFaultyWire(target: string): Promise<FaultyWire> {
  let isCut = false;
  let refused = 0;
  const server = createServer((request, response) => {
    if (isCut) {
      refused++;
      request.socket.destroy();
      return;
    }
    const { method, headers, url = '/' } = request;
    const onward = forward(target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.once('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true;
      server.closeAllConnections();
    },
    mend: () => {
      isCut = false;
    },
    refused: () => refused,
  };
}
