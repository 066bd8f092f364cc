import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runTool } from '../package/tool.ts';

export const runningNode = Number.parseInt(process.versions.node, 10);

/** The versions that the package supports besides the one that runs the tests. */
export const nodeVersions = [20, 22, 24].filter((major) => major !== runningNode);

export type InstalledNode = {
  /** The path of the program. */
  program: string;
  /** With it as the first `node`. */
  env: { PATH: string };
  remove: () => Promise<void>;
};

/**
 * Installs a version of Node from npm into a folder of its own: as a development dependency it would cost each installation 185 MB, and be
 * the `node` of every script.
 */
export async function installNode(major: number): Promise<InstalledNode> {
  const folder = await mkdtemp(join(tmpdir(), `transfer-checkout-node-${major}-`));
  await writeFile(join(folder, 'package.json'), '{}');
  const { code, output } = await runTool('npm', ['install', '--prefer-offline', `node@${major}`], { folder });
  if (code !== 0) throw new Error(output);
  const program = join(folder, 'node_modules/node/bin/node');
  const PATH = [dirname(program), process.env.PATH].join(delimiter);
  return { program, env: { PATH }, remove: () => rm(folder, { recursive: true, force: true }) };
}
