import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { projectFolder } from '../setup/demo-process.ts';

export const examplesFolder = join(projectFolder, 'demo', 'examples');

/** Leaves out what a developer who ran the example in place has left there. */
export const isSource = (path: string): boolean =>
  !/^(?:node_modules|dist|build|\.(?!env$).*)$/.test(basename(path));

export type Workspace = {
  /** Holds a copy of an example. */
  folder: string;
  remove: () => Promise<void>;
};

/**
 * Copies an example, with the built package in `node_modules`. The copy is in the build folder, so that other packages resolve to the
 * project's own `node_modules`.
 */
export async function createWorkspace(example: string): Promise<Workspace> {
  const parent = join(projectFolder, 'build', 'mounting');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, `${example}-`));
  await cp(join(examplesFolder, example), folder, { recursive: true, filter: isSource });
  await mkdir(join(folder, 'node_modules'));
  await symlink(projectFolder, join(folder, 'node_modules', 'transfer-checkout'), 'dir');
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
