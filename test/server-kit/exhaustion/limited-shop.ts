import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createShop, type Shop } from '../kill/shop.ts';
import type { ShopSettings } from '../kill/shop-process.ts';
import { buildForNode } from '../kit/build-for-node.ts';

/** How much a process may have: megabytes of heap, and open files. */
type Limits = { heapMegabytes?: number; descriptors?: number };

/** Builds the shop's process for all tests of a file. Returns what starts a shop of one such process, on SQLite. */
export function describeLimitedShop() {
  let built: Awaited<ReturnType<typeof buildForNode>>;
  beforeAll(async () => {
    built = await buildForNode(new URL('../kill/shop-process.ts', import.meta.url));
  });
  afterAll(() => built.remove());

  const commandOf = ({ heapMegabytes, descriptors }: Limits): string[] => {
    const options = heapMegabytes === undefined ? [] : [`--max-old-space-size=${heapMegabytes}`];
    const command = [process.execPath, ...options, built.file];
    return descriptors === undefined
      ? command
      : ['sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh', ...command];
  };
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'transfer-checkout-limited-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const shop = await createShop(built.file, { name: 'SQLite', url: `file:${join(folder, 'shop.db')}` });
    const start = (limits: Limits, settings: Partial<ShopSettings> = {}): Promise<void> =>
      shop.start(0, settings, commandOf(limits));
    return { ...shop, start };
  };
}

export type LimitedShop = Awaited<ReturnType<ReturnType<typeof describeLimitedShop>>>;

export const portOf = ({ ports }: Pick<Shop, 'ports'>): number => ports[0] ?? 0;

/** What was reported to the merchant, in the order of the keys, with each repetition. */
export const reported = (shop: Pick<Shop, 'calls'>): string[] =>
  shop
    .calls()
    .flatMap((call) => (call.at === 'written' ? [call.key] : []))
    .sort();

const atOnce = 250;

/**
 * Opens connections that send this text and nothing more, and read nothing, not even that the other side ends: like those of a device
 * that has lost its network. They close with the test, or by `close`.
 */
export async function openConnections(port: number, count: number, text = '') {
  const sockets: Socket[] = [];
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(close);
  const openOne = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      // A process that can open no more closes it at once.
      socket.on('error', () => {}).on('close', () => resolve());
      socket.on('connect', () => socket.write(text, () => resolve()));
    });
  for (let opened = 0; opened < count; opened += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, count - opened) }, openOne));
  return { close, bytes: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0) };
}
