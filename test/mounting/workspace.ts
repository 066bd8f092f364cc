import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { build } from 'vite';
import { packInto, runTool } from '../package/tool.ts';
import { projectFolder } from '../setup/demo-process.ts';

export type Workspace = {
  /** Holds a copy of the examples, in `mounting`. */
  folder: string;
  remove: () => Promise<void>;
};

/**
 * Creates a merchant's project: the examples, with the packed package in `node_modules`. It is in the build folder, so that other
 * packages resolve to the project's own `node_modules`.
 */
export async function createWorkspace(): Promise<Workspace> {
  const parent = join(projectFolder, 'build', 'mounting');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'shop-'));
  await cp(join(projectFolder, 'demo', 'mounting'), join(folder, 'mounting'), { recursive: true });
  for (const file of ['merchant/cart.ts', 'node/cart-cookies.ts'])
    await cp(join(projectFolder, 'demo', file), join(folder, file));
  await mkdir(join(folder, 'node_modules'));
  const { file } = await packInto(folder);
  await runTool('tar', ['-xzf', file, '-C', folder]);
  await rename(join(folder, 'package'), join(folder, 'node_modules', 'transfer-checkout'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'shop', type: 'module' }));
  // Without it, the project's tsconfig would point the runtimes to the sources of the package.
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { jsx: 'react-jsx' } }));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Compiles an example to JavaScript.
 *
 * @param withPackages bundles all packages except the runtime's own modules; otherwise packages stay imports
 * @returns the path of the file
 */
export async function buildExample(
  { folder }: Workspace,
  name: string,
  { withPackages = false } = {},
): Promise<string> {
  await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    ...(withPackages && { ssr: { noExternal: true } }),
    build: {
      ssr: join(folder, 'mounting', `${name}.ts`),
      outDir: join(folder, 'out'),
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        external: withPackages ? /^(node|cloudflare):/ : (id) => !id.startsWith('.') && !isAbsolute(id),
        output: { entryFileNames: `${name}.js` },
      },
    },
  });
  return join(folder, 'out', `${name}.js`);
}
