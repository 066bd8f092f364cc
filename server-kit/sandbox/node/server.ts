import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSandbox, type Sandbox, type SandboxOptions } from '../index.ts';
import { acceptedHosts } from './accepted-hosts.ts';
import { requireHost, respondToClientError, respondToExpectation } from './client-error.ts';
import { type DataFile, openDataFile } from './data-file.ts';
import { createSandboxListener } from './listener.ts';

export type SandboxServerOptions = Omit<SandboxOptions, 'storage'> & {
  /** Where to listen; 0 for any free port. */
  port: number;
  /**
   * The address to listen on. Default: `127.0.0.1`, which only this machine reaches: control calls and the panel then
   * answer under the names of this machine and of `publicUrl` only.
   */
  host?: string;
  /** A file for the records, so that they are there again after a restart. Default: none. */
  dataFile?: string;
  /** Where the built control panel lies. Default: where the package has it. */
  panelFolder?: string;
};

export type SandboxServer = {
  /** The base address of the service, with the base path: `http://localhost:4010`. */
  url: string;
  sandbox: Sandbox;
  /**
   * Stops serving, cuts what is open, and gives the data file free. Rejects where not everything could be kept.
   */
  close: () => Promise<void>;
};

/**
 * Serves a sandbox.
 *
 * @throws {Error} for a port that is in use, with what to do
 * @throws {DataFileError} for a data file that cannot be used; see `openDataFile`
 * @throws {TypeError} for wrong options
 */
export async function startSandboxServer(options: SandboxServerOptions): Promise<SandboxServer> {
  const { port, host = '127.0.0.1', dataFile, panelFolder, ...sandboxOptions } = options;
  // The address is known only once the port is: with port 0 the system chooses one.
  let serve: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer({ requireHostHeader: false }, (request, response) => serve(request, response));
  server.on('clientError', respondToClientError).on('checkExpectation', respondToExpectation);
  await listen(server, port, host);
  let sandbox: Sandbox | undefined;
  let storage: DataFile | undefined;
  const stopAll = async (): Promise<void> => {
    await stop(server);
    try {
      await sandbox?.close();
    } finally {
      await storage?.close();
    }
  };
  try {
    storage = dataFile === undefined ? undefined : await openDataFile(dataFile);
    const address = `http://${hostInUrl(host)}:${(server.address() as AddressInfo).port}`;
    sandbox = createSandbox({
      publicUrl: address,
      ...sandboxOptions,
      ...(storage !== undefined && { storage }),
    });
    const listener = createSandboxListener(sandbox, {
      acceptHost: acceptedHosts(host, sandboxOptions.publicUrl ?? address),
      ...(panelFolder !== undefined && { panelFolder }),
    });
    serve = requireHost(listener);
    let stopped: Promise<void> | undefined;
    const close = (): Promise<void> => {
      stopped ??= stopAll();
      return stopped;
    };
    return { url: address + sandbox.basePath, sandbox, close };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EADDRINUSE') return reject(cause);
      const message = `Port ${port} of ${host} is in use; stop what listens there, or choose another port (0 for any free one).`;
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

/** Who listens on every address, or on this machine's own, is reached as `localhost`. */
function hostInUrl(host: string): string {
  if (['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
