import { appendFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import type { PoolClient } from 'pg';
import { createPaymentsClient } from '../../../server-kit/core/client.ts';
import { createCheckout } from '../../../server-kit/engine/create-checkout.ts';
import type { OrderInput } from '../../../server-kit/engine/order/request.ts';
import type { OutcomeEvent } from '../../../server-kit/engine/outbox/handlers.ts';
import { toNodeListener } from '../../../server-kit/node.ts';
import { createPostgresStore } from '../../../server-kit/stores/postgres/store.ts';
import { createSqliteStore } from '../../../server-kit/stores/sqlite/store.ts';
import { keys } from '../kit/wired-shop.ts';

export type ShopDatabase = { name: 'PostgreSQL'; connectionString: string } | { name: 'SQLite'; url: string };

/** The point in a handler at which the process kills itself. */
export type KillPoint = 'begun' | 'written';

export type ShopSettings = {
  database: ShopDatabase;
  serviceUrl: string;
  publicUrl: string;
  /** A file of JSON lines, to which each process appends the calls of its handlers. */
  callsFile: string;
  /** How far the shop's clock is ahead of the machine's; null to use the database's clock. */
  aheadMs: number | null;
  handlerLeaseMs: number;
  killAt: KillPoint | null;
};

export type CallLine =
  | { at: 'begun' | 'written'; key: string; pid: number }
  | { at: 'failed'; key: string; pid: number; error: string }
  | { at: 'killed'; pid: number };

/** A line of JSON on stdin. */
export type ShopRequest = 'measure' | { aheadMs: number };

/** What the process holds, after a collection of garbage. */
export type Holdings = { descriptors: number; timers: number; objects: number; heapBytes: number };

const settings = JSON.parse(process.argv[2] ?? '') as ShopSettings;
const { killAt } = settings;
let { aheadMs } = settings;
const { pid } = process;
const note = (line: CallLine): void => appendFileSync(settings.callsFile, `${JSON.stringify(line)}\n`);
const clock = aheadMs === null ? {} : { now: () => Date.now() + Number(aheadMs) };

const store = openDatabase(settings.database);
const checkout = createCheckout({
  client: createPaymentsClient({
    baseUrl: settings.serviceUrl,
    apiKey: 'pk_test_sandbox',
    apiSecret: 'sk_test_sandbox',
    ...clock,
  }),
  store,
  clientSecretKeys: keys,
  publicUrl: settings.publicUrl,
  getOrder: ({ body }) => body as OrderInput,
  testing: { ...clock, handlerLeaseMs: settings.handlerLeaseMs, verificationIntervalMs: 100 },
  maxVerificationsPerSecond: 1000,
  onPaid: recordOutcome,
  onFailed: recordOutcome,
  onExpired: recordOutcome,
  onAttention: recordOutcome,
});
checkout.start();

const server = createServer(toNodeListener(checkout));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
// Stops when the test closes stdin or ends, so that no process outlives it.
createInterface(process.stdin).on('line', respond).on('close', stop);

function respond(line: string): void {
  const request = JSON.parse(line) as ShopRequest;
  if (request === 'measure') process.stdout.write(`${JSON.stringify(measure())}\n`);
  else ({ aheadMs } = request);
}

/** The class of timers has no name of its own. */
const { constructor: Timeout } = setTimeout(() => {}, 0);

function measure(): Holdings {
  // Counts those that are cleared too, as long as something holds them. It collects garbage first.
  const timers = queryObjects(Timeout, { format: 'count' });
  return {
    timers,
    // Every closure, promise and entry with an object as its value.
    objects: queryObjects(Object, { format: 'count' }),
    descriptors: readdirSync('/proc/self/fd').length,
    heapBytes: process.memoryUsage().heapUsed,
  };
}

function openDatabase(database: ShopDatabase) {
  if (database.name === 'SQLite') return createSqliteStore({ url: database.url, ...clock });
  return createPostgresStore({ connectionString: database.connectionString, ...clock });
}

/** The merchant's handler of every outcome: inserts a row without a unique key, in the transaction if there is one. */
async function recordOutcome({ idempotencyKey: key, transaction }: OutcomeEvent): Promise<void> {
  try {
    note({ at: 'begun', key, pid });
    killSelfAt('begun');
    await pause(Math.random() * 20);
    await (transaction as PoolClient | undefined)?.query('INSERT INTO ledger (key) VALUES ($1)', [key]);
    note({ at: 'written', key, pid });
    killSelfAt('written');
    await pause(Math.random() * 20);
  } catch (error) {
    note({ at: 'failed', key, pid, error: String(error) });
    throw error;
  }
}

function killSelfAt(moment: KillPoint): void {
  if (moment !== killAt) return;
  note({ at: 'killed', pid });
  process.kill(pid, 'SIGKILL');
}

async function stop(): Promise<void> {
  server.close();
  server.closeAllConnections();
  await checkout.stop();
  await store.close();
}
