import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runTool } from '../package/tool.ts';
import type { Mounting } from './mounted-shop.ts';
import { describeMounting } from './mounting-suite.ts';
import type { Workspace } from './workspace.ts';

// With CI set, Next fails if a package is missing, instead of installing it.
const env = { CI: '1', NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };

/** Skips the type check, which runs elsewhere. Next still requires React's types to be installed. */
async function skipTypes({ folder }: Workspace, app: string): Promise<void> {
  const types = join(folder, 'node_modules', '@types', 'react');
  await mkdir(types, { recursive: true });
  await writeFile(join(types, 'index.d.ts'), 'export {};\n');
  await writeFile(join(types, 'package.json'), '{ "name": "@types/react", "version": "0.0.0" }\n');
  await writeFile(
    join(app, 'next.config.mjs'),
    'export default { typescript: { ignoreBuildErrors: true } };\n',
  );
}

const nextServer: Mounting = {
  async prepare(workspace) {
    const folder = join(workspace.folder, 'mounting', 'next');
    await skipTypes(workspace, folder);
    const { code, output } = await runTool('next', ['build'], { folder, env });
    expect(code, output).toBe(0);
    return { command: ['next', 'start'], folder, env: { ...env, NEXT_MANUAL_SIG_HANDLE: 'true' } };
  },
};

// Next itself responds to methods that a route does not export.
describeMounting('Next', nextServer, { methods: ['HEAD', 'OPTIONS'] });
