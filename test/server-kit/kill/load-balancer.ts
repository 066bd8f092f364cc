import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Creates what forwards each connection to the next running instance of a shop; it begins without any, and closes with the test. */
export async function createLoadBalancer() {
  /** The ports of the instances; undefined for one that is down. */
  const ports: (number | undefined)[] = [];
  const clients = new Set<Socket>();
  let turn = 0;

  /** Tries each instance in turn. If none is running, closes the connection when the request arrives. */
  function forward(client: Socket, tries = 0): void {
    // Node's `fetch` may wait for its timeout if a connection closes before it has sent anything.
    if (tries === ports.length) return void client.once('data', () => client.destroy());
    const port = ports[turn++ % ports.length];
    if (port === undefined) return forward(client, tries + 1);
    const instance = connect(port, '127.0.0.1');
    let isConnected = false;
    instance.on('connect', () => {
      isConnected = true;
      client.pipe(instance).pipe(client);
    });
    instance.on('error', () => {});
    instance.on('close', () => (isConnected ? client.destroy() : forward(client, tries + 1)));
    client.on('close', () => instance.destroy());
  }

  const server = createServer((client) => {
    clients.add(client.on('close', () => clients.delete(client)).on('error', () => {}));
    forward(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ports };
}
