import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './tool.ts';

/** Runs a command that must succeed. */
async function run(command: string, args: readonly string[], folder?: string): Promise<void> {
  const { code, output } = await runTool(command, args, folder === undefined ? {} : { folder });
  if (code !== 0) throw new Error(output);
}

/** Packs the built package and returns the path of the file. */
export async function packInto(folder: string): Promise<string> {
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder]);
  const name = (await readdir(folder)).find((one) => one.endsWith('.tgz')) ?? '';
  return join(folder, name);
}

export type InstalledShop = {
  folder: string;
  remove: () => Promise<void>;
};

/** Creates a shop's project outside of this one: npm installs other packages first, and then the packed package. */
export async function installShop(...others: string[]): Promise<InstalledShop> {
  const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-shop-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'shop', type: 'module' }));
  const packed = await packInto(folder);
  const install = ['install', '--prefer-offline', '--ignore-scripts'];
  if (others.length > 0) await run('npm', [...install, ...others], folder);
  await run('npm', [...install, packed], folder);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
