import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * Builds `main.ts` of a folder and runs it. Node 20 runs no TypeScript, and the built code is what merchants run.
 *
 * @param {string} folder below the repository
 * @param {string[]} parameters for the program
 * @param {string[]} nodeOptions
 * @returns the exit code
 */
export async function runBuilt(folder, parameters, nodeOptions = []) {
  const outDir = `${root}build/${folder}`;
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      ssr: `${root}${folder}/main.ts`,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'main.mjs' } },
    },
  });
  const parts = [...nodeOptions, `${outDir}/main.mjs`, ...parameters];
  return spawnSync(process.execPath, parts, { stdio: 'inherit' }).status ?? 1;
}

/** Runs a command of the repository's packages. Returns its exit code. */
export function runCommand(command, parameters) {
  return spawnSync(command, parameters, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

/** Runs the named one of several programs with the rest of the command line, or lists them. */
export async function runNamed(command, programs) {
  const [name, ...parameters] = process.argv.slice(2);
  const list = Object.keys(programs).join(', ');
  if (name !== undefined && Object.hasOwn(programs, name)) {
    process.exitCode = await programs[name](parameters);
  } else {
    const isHelp = name === undefined || name === '--help';
    if (!isHelp) process.stderr.write(`Unknown name ${name}.\n`);
    process.stdout.write(
      `npm run ${command} -- NAME [options]; NAME is one of ${list}. \`NAME --help\` lists the options.\n`,
    );
    process.exitCode = isHelp ? 0 : 1;
  }
}
