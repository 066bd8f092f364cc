import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { projectFolder } from '../setup/demo-process.ts';

export type ToolResult = {
  code: number | null;
  stdout: string;
  /** stdout and stderr. */
  output: string;
};

/** Runs a command, preferring the project's own tools, and returns its output. */
export function runTool(
  command: string,
  args: readonly string[],
  { folder = projectFolder, env: more = {} }: { folder?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const path = [join(projectFolder, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
    const env = { ...process.env, PATH: path, NO_COLOR: '1', ...more };
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
      output += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, output }));
  });
}

/** The npm package: the file, and the paths of the files in it. */
export type PackedPackage = { file: string; paths: string[] };

/** Packs the built package, of a copy of the project, into a folder. Without one, only lists what would be in it. */
export async function packInto(folder?: string, project: string = projectFolder): Promise<PackedPackage> {
  const destination = folder === undefined ? ['--dry-run'] : ['--pack-destination', folder];
  const { code, stdout, output } = await runTool(
    'npm',
    ['pack', '--json', '--ignore-scripts', ...destination],
    { folder: project },
  );
  if (code !== 0) throw new Error(output);
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  return { file: join(folder ?? '', filename), paths: files.map(({ path }) => path) };
}
