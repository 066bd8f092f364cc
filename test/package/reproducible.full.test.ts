import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { projectFolder } from '../setup/demo-process.ts';
import { packInto, runTool } from './tool.ts';

/** Two machines that have nothing in common but the files of the repository and those that the lock file names. */
const machines = [
  { name: 'a', env: { TZ: 'Pacific/Kiritimati', LANG: 'C', LC_ALL: 'C', NODE_ENV: 'development' } },
  {
    name: 'another-machine/in-a-deeper-folder',
    env: { TZ: 'America/Anchorage', LC_ALL: 'C.UTF-8', NODE_ENV: 'test' },
  },
];

/** Copies what git has, and links the installed packages, into a folder of the same file system. */
async function copyTo(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const copy = `git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C '${folder}' && cp -al node_modules '${folder}/'`;
  const { code, output } = await runTool('sh', ['-c', copy]);
  expect(code, output).toBe(0);
}

const hashOf = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

async function hashesIn(folder: string): Promise<Record<string, string>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const hashes = await Promise.all(
    files.map(async (file) => [file.slice(folder.length + 1), await hashOf(file)] as const),
  );
  return Object.fromEntries(hashes.sort(([one], [other]) => (one < other ? -1 : 1)));
}

describe('the package', () => {
  it('has the same bytes wherever and whenever it is built', async () => {
    await mkdir(join(projectFolder, 'build'), { recursive: true });
    const parent = await mkdtemp(join(projectFolder, 'build/reproduced-'));
    onTestFinished(() => rm(parent, { recursive: true }));
    const built: Record<string, string>[] = [];
    for (const { name, env } of machines) {
      const folder = join(parent, name);
      await copyTo(folder);
      const { code, output } = await runTool('npm', ['run', 'build'], { folder, env });
      expect(code, output).toBe(0);
      built.push({
        ...(await hashesIn(join(folder, 'dist'))),
        packed: await hashOf((await packInto(parent, folder)).file),
      });
    }
    const [one = {}, other = {}] = built;
    expect(Object.keys(one).length).toBeGreaterThan(100);
    expect(other).toEqual(one);
  });
});

describe('npm audit', () => {
  it('knows no weakness of what is installed with the package', async ({ skip }) => {
    const { stdout } = await runTool('npm', ['audit', '--omit', 'dev', '--json']);
    const report = JSON.parse(stdout) as {
      metadata?: { vulnerabilities: { total: number } };
      message?: string;
    };
    if (report.metadata === undefined) skip(`The registry does not audit: ${report.message}`);
    expect(report.metadata?.vulnerabilities.total, stdout).toBe(0);
  });
});
