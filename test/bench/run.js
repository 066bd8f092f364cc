import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/**
 * `npm run bench` runs the small benchmarks (`*.bench.ts`) and lists the larger ones, each a folder. `npm run bench -- wake`
 * runs a larger one; further arguments are passed to it.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
const entries = readdirSync(here, { withFileTypes: true });
const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
const small = entries.flatMap(({ name }) =>
  name.endsWith('.bench.ts') ? [name.replace('.bench.ts', '')] : [],
);
const [name, ...parameters] = process.argv.slice(2);

if (name === undefined || small.includes(name)) {
  const filter = name === undefined ? [] : [`${name}.bench.ts`];
  const { status } = spawnSync('npx', ['vitest', 'bench', '--run', '--project', 'node', ...filter], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
  if (name === undefined)
    process.stdout.write(`Also: ${folders.map((one) => `npm run bench -- ${one}`).join(', ')}\n`);
} else if (folders.includes(name)) {
  await runBuilt(name);
} else {
  process.stderr.write(`Unknown benchmark ${name}. Available: ${[...small, ...folders].join(', ')}.\n`);
  process.exitCode = 1;
}

/** Builds a benchmark first: Node 20 runs no TypeScript, and built code is what merchants run. */
async function runBuilt(folder) {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      ssr: `${here}${folder}/main.ts`,
      outDir: `${root}build/bench/${folder}`,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'bench.mjs' } },
    },
  });
  const file = `${root}build/bench/${folder}/bench.mjs`;
  process.exitCode = spawnSync(process.execPath, [file, ...parameters], { stdio: 'inherit' }).status ?? 1;
}
