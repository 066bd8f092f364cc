import { parseArgs } from 'node:util';
import { brotliSizeOf, pages, startSite } from './site.ts';
import { type Network, networks, openBrowser, type Visit, type Waiting } from './visit.ts';

/**
 * Measures when a shopper on a slow phone sees the account number, and when the checkout is ready (the countdown runs, so the
 * poll and the buttons do too), and how much memory the page takes then. All pages are visited in turn, so that a busy moment of the machine hits all of them.
 */
const help = `npm run bench -- browser [--net slow3g,slow4g] [--runs 5] [--cpu 4] [--wait 0]

  --net   networks: ${Object.keys(networks).join(', ')}
  --runs  measured visits of each page; medians are printed
  --cpu   how many times slower the CPU is made
  --wait  seconds to wait then on each visit: prints the work of the page meanwhile`;

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

function report(visits: ReadonlyMap<string, readonly Visit[]>, network: Network): void {
  const lines: string[] = [];
  let yardstick: { number: number; ready: number; heap: number } | undefined;
  for (const { name, files } of pages) {
    const own = visits.get(name) ?? [];
    const number = median(own.map(({ numberMs }) => numberMs));
    const ready = median(own.map(({ readyMs }) => readyMs));
    const heap = median(own.map(({ heapKb }) => heapKb));
    yardstick ??= { number, ready, heap };
    const ratio = (value: number, of: number, unit = 'ms'): string =>
      `${Math.round(value)} ${unit} (${(value / of).toFixed(2)}x)`;
    const size = `${(brotliSizeOf(files) / 1024).toFixed(1)} KB`;
    lines.push(
      `| ${name} | ${size} | ${ratio(number, yardstick.number)} | ${ratio(ready, yardstick.ready)} | ${ratio(heap, yardstick.heap, 'KB')} |`,
    );
  }
  process.stdout.write(
    `\n${network}\n| page | brotli | number | ready | heap |\n|---|---|---|---|---|\n${lines.join('\n')}\n`,
  );
}

function reportWaiting(visits: ReadonlyMap<string, readonly Visit[]>, seconds: number): void {
  const lines = pages.map(({ name }) => {
    const own = (visits.get(name) ?? []).flatMap(({ waiting }) => waiting ?? []);
    const cell = (name: keyof Waiting): string => median(own.map((waiting) => waiting[name])).toFixed(0);
    const cells = (['scriptMs', 'styleMs', 'layoutMs'] as const).map(cell);
    return `| ${name} | ${cells.join(' | ')} |`;
  });
  process.stdout.write(
    `\n${seconds} seconds of waiting\n| page | script ms | style ms | layout ms |\n|---|---|---|---|\n${lines.join('\n')}\n`,
  );
}

const { values } = parseArgs({
  options: {
    net: { type: 'string', default: 'slow3g,slow4g' },
    runs: { type: 'string', default: '5' },
    cpu: { type: 'string', default: '4' },
    wait: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});

async function run(): Promise<void> {
  const chosen = values.net.split(',').filter((name): name is Network => name in networks);
  const runs = Number(values.runs);
  const cpu = Number(values.cpu);
  const waitSeconds = Number(values.wait);
  if (chosen.length === 0 || !(runs >= 1) || !(cpu >= 1) || !(waitSeconds >= 0)) throw new Error(help);
  const site = await startSite();
  const browser = await openBrowser();
  try {
    for (const network of chosen) {
      const visits = new Map<string, Visit[]>(pages.map(({ name }) => [name, []]));
      // The first round warms up server and browser, and is not counted.
      for (let round = 0; round <= runs; round++) {
        for (const { name, path } of pages) {
          const visit = await browser.visit(`${site.origin}${path}`, { network, cpu, waitSeconds });
          if (round > 0) visits.get(name)?.push(visit);
          process.stderr.write(
            `${network} ${round}/${runs} ${name}: ${Math.round(visit.numberMs)} / ${Math.round(visit.readyMs)} ms\n`,
          );
        }
      }
      report(visits, network);
      if (waitSeconds > 0) reportWaiting(visits, waitSeconds);
    }
  } finally {
    await browser.close();
    await site.close();
  }
}

if (values.help) process.stdout.write(`${help}\n`);
else await run();
