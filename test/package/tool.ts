import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { projectFolder } from '../setup/demo-process.ts';

export type ToolResult = { code: number | null; output: string };

/** Runs a command, preferring the project's own tools, and returns its output. */
export function runTool(
  command: string,
  args: readonly string[],
  { folder = projectFolder, env: more = {} }: { folder?: string; env?: Record<string, string> } = {},
): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const path = [join(projectFolder, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
    const env = { ...process.env, PATH: path, NO_COLOR: '1', ...more };
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk;
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
