import { request as forward } from 'node:http';
import { serveUntilClosed } from '../server-kit/kit/serve.ts';

export type FaultyWire = {
  url: string;
  /** Drops every connection from now on. */
  cut: () => void;
  mend: () => void;
  /** The number of dropped requests. */
  refused: () => number;
  close: () => Promise<void>;
};

/** A proxy to a server that a test can cut. It forwards everything unchanged. */
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
    const onward = forward(target + url, { method, headers }, (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders);
      incoming.pipe(response);
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
