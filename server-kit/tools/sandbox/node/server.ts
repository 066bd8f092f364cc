import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { parseOptions, wholeNumber } from '../../../core/options.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../index.ts';
import { openDataFile } from './data-file.ts';
import { createSandboxListener, SandboxListenerOptions } from './listener.ts';

/** Where to serve, and what is kept. The sandbox and the listener check their own options. */
const ServerOptions = v.object({
  ...SandboxListenerOptions.entries,
  /** Where to listen; 0 for any free port. */
  port: wholeNumber(0, 65_535),
  /** The address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  host: v.optional(v.string('must be an address'), '127.0.0.1'),
  /** A file that keeps the records across restarts. Default: none. */
  dataFile: v.optional(v.string('must be a path')),
});
export type SandboxServerOptions = Omit<SandboxOptions, 'storage'> & v.InferInput<typeof ServerOptions>;

export type SandboxServer = {
  /** The base address of the service, with the base path: `http://localhost:4010`. */
  url: string;
  sandbox: Sandbox;
  /** Stops the server, closes open connections and writes the data file. Rejects when a change could not be stored. */
  close: () => Promise<void>;
};

/**
 * Starts a server for a new sandbox.
 *
 * @throws {Error} for a port that is in use
 * @throws {DataFileError} for a data file that cannot be used; see `openDataFile`
 * @throws {CheckoutError} `invalid_options`
 */
export async function startSandboxServer(options: SandboxServerOptions): Promise<SandboxServer> {
  const settings = parseOptions(v.looseObject(ServerOptions.entries), options, 'startSandboxServer');
  const { port, host, dataFile, pagesFolder, allowedHosts, ...sandboxOptions } = settings;
  // The sandbox needs the address, which is known only after `listen` when the port is 0.
  let serve: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => serve(request, response));
  await listen(server, port, host);
  let sandbox: Sandbox | undefined;
  let stopped: Promise<void> | undefined;
  const close = (): Promise<void> => {
    stopped ??= stop(server).then(() => sandbox?.close());
    return stopped;
  };
  try {
    const storage = dataFile === undefined ? undefined : await openDataFile(dataFile);
    const address = `http://${hostInUrl(host)}:${(server.address() as AddressInfo).port}`;
    sandbox = createSandbox({ publicUrl: address, ...sandboxOptions, ...(storage && { storage }) });
    serve = createSandboxListener(sandbox, {
      allowedHosts: [new URL(address).hostname, ...allowedHosts],
      ...(pagesFolder !== undefined && { pagesFolder }),
    });
    return { url: address + sandbox.basePath, sandbox, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EADDRINUSE') return reject(cause);
      const message = `Port ${port} of ${host} is in use; stop the other process, or choose another port (0 for any free one).`;
      reject(new Error(message, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Returns `localhost` for loopback and for all addresses. */
function hostInUrl(host: string): string {
  if (['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
