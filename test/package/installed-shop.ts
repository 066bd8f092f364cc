import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packInto, runTool } from './tool.ts';

/** Runs a command that must succeed. */
async function run(command: string, args: readonly string[], folder?: string): Promise<void> {
  const { code, output } = await runTool(command, args, folder === undefined ? {} : { folder });
  if (code !== 0) throw new Error(output);
}

export type InstalledShop = {
  folder: string;
  remove: () => Promise<void>;
};

/** Creates a shop's project outside of this one: npm installs other packages first, and then the packed package. */
export async function installShop(...others: string[]): Promise<InstalledShop> {
  const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-shop-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'shop', type: 'module' }));
  const { file } = await packInto(folder);
  const install = ['install', '--prefer-offline', '--ignore-scripts'];
  if (others.length > 0) await run('npm', [...install, ...others], folder);
  await run('npm', [...install, file], folder);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
