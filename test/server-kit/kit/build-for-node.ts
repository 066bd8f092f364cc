import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/**
 * A module of the project as one file that Node runs, for processes of their own: Node 20 runs no TypeScript. It lies
 * beside the packages, so that the native part of a database is found.
 */
export async function buildForNode(source: URL): Promise<{ file: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-built-'));
  await symlink(packages, join(folder, 'node_modules'));
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      rolldownOptions: {
        input: { module: fileURLToPath(source) },
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  return { file: join(folder, 'module.mjs'), remove: () => rm(folder, { recursive: true }) };
}
