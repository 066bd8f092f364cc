import { spawn } from 'node:child_process';
import { projectFolder } from '../setup/demo-process.ts';

export type ToolResult = { code: number | null; output: string };

/** Runs a command-line tool of the project, and gives what it said. */
export function runTool(command: string, args: readonly string[], input = ''): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: projectFolder, env: { ...process.env, NO_COLOR: '1' } });
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk;
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
    child.stdin.end(input);
  });
}

/** What a failing tool said becomes the test's failure. */
export const success = { code: 0 };
