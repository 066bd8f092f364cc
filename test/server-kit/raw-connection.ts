import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server on a free port; it closes with the test. */
export async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A connection over which a test sends what no client would. */
export function open(port: number) {
  const socket: Socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  const send = (text: string): void => void socket.write(text);
  return { socket, send, statuses, received: () => received };
}

/** Lets everything happen that waits for nothing but its turn. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** What the process would have died of while the test ran. */
export function watchProcess(): unknown[] {
  const seen: unknown[] = [];
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const note = (error: unknown): void => void seen.push(error);
  for (const event of events) {
    const others = process.listeners(event as 'uncaughtException');
    process.removeAllListeners(event).on(event, note);
    onTestFinished(() => {
      process.removeAllListeners(event);
      for (const other of others) process.on(event, other);
    });
  }
  return seen;
}
