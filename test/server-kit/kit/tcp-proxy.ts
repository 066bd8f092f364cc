import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type TcpProxy = Awaited<ReturnType<typeof createTcpProxy>>;

/** Creates a TCP proxy that fails as a network does. It closes with the test. */
export async function createTcpProxy(serviceUrl: string) {
  const service = new URL(serviceUrl);
  const clients = new Set<Socket>();
  const sockets = new Set<Socket>();
  let mode: 'open' | 'refusing' | 'frozen' = 'open';
  let ending: { bytes: Buffer; last: () => Buffer } | undefined;

  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => void (mode === 'frozen' || other.write(bytes)));
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const keepUntil = (upstream: Socket, client: Socket, { bytes, last }: NonNullable<typeof ending>): void => {
    upstream.on('error', () => {});
    upstream.on('close', () => client.destroy());
    upstream.on('data', (chunk) => {
      const isLast = chunk.subarray(-bytes.length).equals(bytes);
      if (isLast) client.end(Buffer.concat([chunk, last()]));
      else client.write(chunk);
    });
  };
  const server = createServer((client) => {
    if (mode === 'refusing') return void client.destroy();
    const upstream = connect(Number(service.port), service.hostname);
    clients.add(client.on('close', () => clients.delete(client)));
    keep(client, upstream);
    if (ending === undefined) keep(upstream, client);
    else keepUntil(upstream, client, ending);
  });
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    cutAll();
    server.close();
  });

  const url = new URL(serviceUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** The service's URL with the proxy's address. */
    url: url.href,
    connections: () => clients.size,
    /** Closes all connections, and refuses new ones. */
    refuse: (): void => {
      mode = 'refusing';
      cutAll();
    },
    /** Closes all connections. Then ends each new one after a chunk that ends with these bytes, with `last` appended to it. */
    endAfter: (bytes: Buffer, last: () => Buffer): void => {
      ending = { bytes, last };
      cutAll();
    },
    /** Drops all data in both directions, and keeps the connections open. */
    freeze: (): void => {
      mode = 'frozen';
    },
    /** Accepts new connections again. Data sent to frozen ones is lost. */
    restore: (): void => {
      mode = 'open';
      ending = undefined;
    },
  };
}
