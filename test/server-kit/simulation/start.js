import { fileURLToPath } from 'node:url';
import { build } from 'vite';

// Built first, because Node runs no TypeScript, and what is built runs several times faster than what is transformed.
const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));
await build({
  ...{ configFile: false, root, logLevel: 'warn' },
  build: {
    ...{ ssr: `${here}main.ts`, outDir: `${root}build/simulation`, emptyOutDir: true },
    ...{ target: 'node20', minify: false },
    rolldownOptions: { output: { entryFileNames: 'simulate.js' } },
  },
});
await import('../../../build/simulation/simulate.js');
