import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Vite runs the file, because Node 20 runs no TypeScript. */
const generate = (name) =>
  runnerImport(`${root}docs/generate/${name}.ts`, { configFile: false, root, logLevel: 'error' });

function run(...parameters) {
  const { status } = spawnSync('npx', parameters, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const tasks = {
  tables: () => generate('write-tables'),
  async site() {
    await generate('write-typescript');
    run('vitepress', 'build', 'docs');
  },
  async pictures() {
    run('vite', 'build', '--logLevel', 'warn');
    await generate('draw-picture');
    await generate('draw-preview');
  },
  // For `npm version`, which has written the new version into package.json.
  release: () => generate('name-release'),
};

const [name = 'tables'] = process.argv.slice(2);
if (Object.hasOwn(tasks, name)) {
  await tasks[name]();
} else {
  process.stdout.write(`npm run docs [-- NAME]
  tables    writes the generated tables into README and docs (the default)
  site      writes the TypeScript reference and builds the site into the built demo
  pictures  builds, and takes the pictures of README and of links to the demo
  release   names the unreleased section of the changelog after the version
`);
  process.exitCode = name === '--help' ? 0 : 1;
}
