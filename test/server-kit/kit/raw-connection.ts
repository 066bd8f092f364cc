import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Opens a connection for requests that no client would send. */
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

/** Collects what would have crashed the process while the test ran. */
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
