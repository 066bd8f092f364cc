import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

// `npm run docs` writes the tables, `npm run docs:picture` and `npm run docs:preview` the pictures. Vite, because Node 20 runs no TypeScript.
const [name = 'write-tables'] = process.argv.slice(2);
const root = fileURLToPath(new URL('../../', import.meta.url));
await runnerImport(`${root}docs/generate/${name}.ts`, { configFile: false, root, logLevel: 'error' });
