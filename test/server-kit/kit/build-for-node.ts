import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/**
 * Builds a module of the project as one file, for separate Node processes: Node 20 cannot run TypeScript. The file is next
 * to the packages, so that native database modules are found.
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
      rolldownOptions: { input: { module: fileURLToPath(source) }, output: { entryFileNames: '[name].mjs' } },
    },
  });
  return { file: join(folder, 'module.mjs'), remove: () => rm(folder, { recursive: true }) };
}
