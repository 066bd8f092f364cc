import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../../setup/demo-process.ts';
import { buildForNode } from '../kit/build-for-node.ts';

/** Builds the shop's process as it was at a commit, with today's packages. */
export async function buildAtCommit(commit: string): ReturnType<typeof buildForNode> {
  const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-older-'));
  try {
    const archive = execFileSync('git', ['archive', commit, 'src', 'server-kit', 'test', 'package.json'], {
      cwd: projectFolder,
      maxBuffer: 2 ** 30,
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
    return await buildForNode(pathToFileURL(join(folder, 'test/server-kit/kill/shop-process.ts')));
  } finally {
    await rm(folder, { recursive: true });
  }
}
