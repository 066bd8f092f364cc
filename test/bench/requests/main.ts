import { Agent, request } from 'node:http';
import { startService } from '../wake/service.ts';
import { holdMs, runShop, startShop, type Usage } from './shop.ts';

const help = `npm run bench -- requests [rounds]

Measures the CPU that a server needs for a request, and the heap for a held one, beside those of a bare response of node:http in the
same process. Compare the ratios: the times depend on the machine. Medians of interleaved rounds, five by default.`;

/** Requests of a round, and how many at once. */
const perRound = 500;
const atOnce = 8;
/** Read ten times a round, far less than the limit. */
const sessions = 100;
const held = 2000;

type Session = { reference: string; clientSecret: string; etag: string };

async function measure(rounds: number): Promise<void> {
  const service = await startService();
  const shop = await startShop(service.url);
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const send = (path: string, headers: Record<string, string> = {}, body?: string) =>
    new Promise<{ etag: string; text: string }>((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      request(shop.url + path, { agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ etag: response.headers.etag ?? '', text }));
      })
        .on('error', reject)
        .end(body);
    });
  const usage = async (): Promise<Usage> => JSON.parse((await send('/usage')).text) as Usage;

  let orders = 0;
  const open = async (): Promise<Session> => {
    const body = JSON.stringify({ orderId: `order-${orders++}` });
    const { text, etag } = await send('/checkout/sessions', { 'content-type': 'application/json' }, body);
    return { ...(JSON.parse(text) as Session), etag };
  };
  const read = ({ reference, clientSecret }: Session, more: Record<string, string> = {}) =>
    send(`/checkout/sessions/${reference}`, { 'checkout-secret': clientSecret, ...more });
  const opened = await inParallel(sessions, open);
  const kinds: Record<string, (index: number) => Promise<unknown>> = {
    'bare response': () => send('/bare'),
    'status, unchanged (304)': (index) => {
      const session = opened[index % sessions] as Session;
      return read(session, { 'if-none-match': session.etag });
    },
    'status, in full (200)': (index) => read(opened[index % sessions] as Session),
    'new session': open,
  };
  const costs = new Map(Object.keys(kinds).map((kind): [string, number[]] => [kind, []]));
  // The first round verifies each payment, and compiles the code.
  for (let round = 0; round <= rounds; round++) {
    for (const [kind, sendOne] of Object.entries(kinds)) {
      await send('/collect');
      const before = (await usage()).cpuUs;
      await inParallel(perRound, sendOne);
      const cost = ((await usage()).cpuUs - before) / perRound;
      if (round > 0) costs.get(kind)?.push(cost);
    }
  }
  const bare = median(costs.get('bare response') ?? []);
  for (const [kind, all] of costs) {
    const cost = median(all);
    print(kind, `${cost.toFixed(0)} us of CPU`, `${(cost / bare).toFixed(2)}x`);
  }

  const waiting = await inParallel(held, open);
  const heapOf = async (holdOne: (session: Session) => Promise<unknown>): Promise<number> => {
    await send('/collect');
    const before = (await usage()).heapBytes;
    const responses = Promise.all(waiting.map(holdOne));
    await new Promise((resolve) => setTimeout(resolve, holdMs / 2));
    await send('/collect');
    const heapBytes = (await usage()).heapBytes - before;
    await responses;
    return heapBytes / held;
  };
  const bareHeap = await heapOf(() => send('/held'));
  const heap = await heapOf((session) =>
    read(session, { 'if-none-match': session.etag, prefer: `wait=${holdMs / 1000}` }),
  );
  print('bare held response', `${(bareHeap / 1000).toFixed(1)} kB of heap`, '1.00x');
  print('held status', `${(heap / 1000).toFixed(1)} kB of heap`, `${(heap / bareHeap).toFixed(2)}x`);
  agent.destroy();
  shop.end();
  await service.close();
}

const print = (...columns: readonly string[]): void =>
  void process.stdout.write(
    `${columns
      .map((text) => text.padEnd(26))
      .join('')
      .trimEnd()}\n`,
  );

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

async function inParallel<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

const [role, serviceUrl = ''] = process.argv.slice(2);
if (role === '--help') process.stdout.write(`${help}\n`);
else if (role === 'shop') await runShop(serviceUrl);
else await measure(Number(role ?? 5));
