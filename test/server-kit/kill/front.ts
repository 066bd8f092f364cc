import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Stands before the instances of a shop, as a load balancer does: each connection goes to the next one that is up. */
export type Front = {
  url: string;
  /** The ports of the instances; `undefined` for one that is down. */
  ports: (number | undefined)[];
};

/** A front for no instance yet. It closes with the test. */
export async function createFront(): Promise<Front> {
  const ports: Front['ports'] = [];
  const clients = new Set<Socket>();
  let turn = 0;

  /** To the next instance, or to the one after it; where none is up, the client is turned away. */
  function passOn(client: Socket, tries = 0): void {
    if (tries === ports.length) return void client.destroy();
    const port = ports[turn++ % ports.length];
    if (port === undefined) return passOn(client, tries + 1);
    const instance = connect(port, '127.0.0.1');
    let isConnected = false;
    instance.on('connect', () => {
      isConnected = true;
      client.pipe(instance).pipe(client);
    });
    instance.on('error', () => {});
    instance.on('close', () => (isConnected ? client.destroy() : passOn(client, tries + 1)));
    client.on('close', () => instance.destroy());
  }

  const server = createServer((client) => {
    clients.add(client.on('close', () => clients.delete(client)).on('error', () => {}));
    passOn(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ports };
}
