import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { brotliSizeOf, pages, startSite } from './site.ts';
import { type Network, networks, openBrowser, type Visit } from './visit.ts';

const waitSeconds = 40;

type Column = { readonly name: string; readonly unit: string; readonly read: (visit: Visit) => number };

const loadingColumns: readonly Column[] = [
  { name: 'number', unit: 'ms', read: ({ numberMs }) => numberMs },
  { name: 'ready', unit: 'ms', read: ({ readyMs }) => readyMs },
  { name: 'copy button', unit: 'ms', read: ({ copyMs }) => copyMs },
  { name: 'heap', unit: 'KB', read: ({ heapKb }) => heapKb },
];

const waitingColumns: readonly Column[] = [
  { name: 'script', unit: 'ms', read: ({ waiting }) => waiting.scriptMs },
  { name: 'style', unit: 'ms', read: ({ waiting }) => waiting.styleMs },
  { name: 'layout', unit: 'ms', read: ({ waiting }) => waiting.layoutMs },
];

/**
 * Measures when a shopper on a slow phone sees the account number, when the countdown runs and when the number can be copied, and how much
 * memory the page takes then. All pages are visited in turn, so that a busy moment of the machine hits all of them. `waiting` measures the
 * work of each page while the shopper waits.
 */
const help = `npm run bench -- browser [waiting] [--net slow3g,slow4g] [--runs 5] [--cpu 4]

  waiting  measures ${waitSeconds} seconds of waiting instead, on all pages at once; by default on slow4g with the CPU's own speed
  --net    networks: ${Object.keys(networks).join(', ')}
  --runs   measured visits of each page; medians are printed
  --cpu    how many times slower the CPU is made
  --save   writes the figures of slow4g for the demo's first page, demo/speed.json: on a quiet machine`;

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

type Visits = ReadonlyMap<string, readonly Visit[]>;

/** Prints the medians of some figures, and their ratios to those of the hand-written page. */
function report(title: string, visits: Visits, columns: readonly Column[]): void {
  const firsts = new Map<Column, number>();
  const lines = pages.map(({ name, files }) => {
    const cells = columns.map((column) => {
      const value = median((visits.get(name) ?? []).map(column.read));
      const first = firsts.get(column) ?? value;
      firsts.set(column, first);
      return `${Math.round(value)} ${column.unit} (${(value / first).toFixed(2)}x)`;
    });
    return `| ${[name, `${(brotliSizeOf(files) / 1024).toFixed(1)} KB`, ...cells].join(' | ')} |`;
  });
  const header = ['page', 'brotli', ...columns.map(({ name }) => name)].join(' | ');
  process.stdout.write(
    `\n${title}\n| ${header} |\n${'|---'.repeat(columns.length + 2)}|\n${lines.join('\n')}\n`,
  );
}

/** When the number is shown, rounded up to 5 ms. */
async function save(visits: Visits): Promise<void> {
  const [byHandMs = 0, tagMs = 0] = pages.map(({ name }) => {
    const ms = median((visits.get(name) ?? []).map(({ numberMs }) => numberMs));
    return Math.ceil(ms / 5) * 5;
  });
  const speed = { measuredBy: 'npm run bench -- browser --save', tagMs, byHandMs };
  await writeFile('demo/speed.json', `${JSON.stringify(speed, null, 2)}\n`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    net: { type: 'string' },
    runs: { type: 'string', default: '5' },
    cpu: { type: 'string' },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function run(): Promise<void> {
  const isWaiting = positionals[0] === 'waiting';
  const { net = isWaiting ? 'slow4g' : 'slow3g,slow4g', cpu = isWaiting ? '1' : '4' } = values;
  const chosen = net.split(',').filter((name): name is Network => name in networks);
  const runs = Number(values.runs);
  if (chosen.length === 0 || !(runs >= 1) || !(Number(cpu) >= 1)) throw new Error(help);
  const site = await startSite();
  const browser = await openBrowser();
  try {
    for (const network of chosen) {
      const visits = new Map<string, Visit[]>(pages.map(({ name }) => [name, []]));
      const visit = async ({ name, path }: (typeof pages)[number], round: number): Promise<void> => {
        const options = { network, cpu: Number(cpu), waitSeconds: isWaiting ? waitSeconds : 0 };
        const measured = await browser.visit(`${site.origin}${path}`, options);
        // The first round warms up server and browser, and is not counted.
        if (round > 0) visits.get(name)?.push(measured);
        const { numberMs, readyMs } = measured;
        process.stderr.write(
          `${network} ${round}/${runs} ${name}: ${Math.round(numberMs)} / ${Math.round(readyMs)} ms\n`,
        );
      };
      for (let round = 0; round <= runs; round++) {
        if (isWaiting) await Promise.all(pages.map((page) => visit(page, round)));
        else for (const page of pages) await visit(page, round);
      }
      if (isWaiting) report(`${network}, ${waitSeconds} seconds of waiting`, visits, waitingColumns);
      else report(network, visits, loadingColumns);
      if (values.save && network === 'slow4g' && !isWaiting) await save(visits);
    }
  } finally {
    await browser.close();
    await site.close();
  }
}

if (values.help) process.stdout.write(`${help}\n`);
else await run();
