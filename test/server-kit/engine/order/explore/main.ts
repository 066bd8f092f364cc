import { parseArgs } from 'node:util';
import { type SearchResult, search } from './search.ts';
import { type NamedSetup, setups } from './setups.ts';

const help = `npm run prove -- explore [options]

Searches the states that one order can get into, breadth-first, over the functions in server-kit/engine/order/. The largest search has seven
million states: it takes 9 GB of memory and 20 minutes.

  --only TEXT    only searches whose name contains this text, such as 'payments: 2'
  --states N     the most states of each search, in thousands (default 15000)
  --help         print this text

Prints how many states each search has seen. If an invariant is broken, prints a shortest history that leads to it, and the exit code
is 1.`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const printProgress = (steps: number, states: number): void =>
  void process.stderr.write(`  ${steps} steps: ${states} states\n`);

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    states: { type: 'string', default: '15000' },
    help: { type: 'boolean', default: false },
  },
});

function describe({ name }: NamedSetup, { states, depth, isComplete }: SearchResult, cpuMs: number): string {
  const extent = isComplete ? `all that can be reached, ${depth} steps deep` : `${depth} steps deep`;
  return `${name}: ${states} states, ${extent}; ${(cpuMs / 1000).toFixed(0)} s of CPU time`;
}

function run(named: NamedSetup): boolean {
  const startedMs = process.cpuUsage().user / 1000;
  const states = Number(values.states) * 1000;
  const result = search({ ...named, states, onStep: printProgress });
  print(describe(named, result, process.cpuUsage().user / 1000 - startedMs));
  if (result.finding === null) return false;
  const { broken, history } = result.finding;
  print([`  broken: ${broken.rule}: ${broken.text}`, ...history.map((label) => `    ${label}`)].join('\n'));
  return true;
}

if (values.help) {
  print(help);
} else {
  const findings = setups.filter(({ name }) => name.includes(values.only)).filter(run);
  if (findings.length === 0) print('No invariant was broken.');
  process.exitCode = findings.length > 0 ? 1 : 0;
}
