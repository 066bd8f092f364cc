import { request as forward } from 'node:http';
import { serveUntilClosed } from '../server-kit/kit/serve.ts';

export type FaultyWire = {
  url: string;
  /** From now on every connection is dropped. */
  cut: () => void;
  mend: () => void;
  /** How many requests were dropped so far. */
  refused: () => number;
  close: () => Promise<void>;
};

/** A wire to a server that a test can cut. What passes is passed as it is. */
export async function startFaultyWire(target: string): Promise<FaultyWire> {
  let isCut = false;
  let refused = 0;
  const {
    url: wireUrl,
    server,
    close,
  } = await serveUntilClosed((request, response) => {
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
  return {
    url: wireUrl,
    close,
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
