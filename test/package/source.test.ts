import { describe, expect, it } from 'vitest';
import { runTool } from './tool.ts';

describe('the source', () => {
  it('is formatted and free of lint', async () => {
    const { code, output } = await runTool('npx', [
      'biome',
      'ci',
      '--colors=off',
      '--error-on-warnings',
      '.',
    ]);
    expect(code, output).toBe(0);
  });

  it('has no type errors', async () => {
    const { code, output } = await runTool('npx', ['tsc', '-p', '.']);
    expect(code, output).toBe(0);
  });
});

/** Lints one line as if it stood in that file. */
async function plant(path: string, line: string): Promise<string> {
  return (await runTool('npx', ['biome', 'lint', '--colors=off', `--stdin-file-path=${path}`], `${line}\n`))
    .output;
}

describe('the layers', () => {
  it.each([
    ['src/contract/planted.ts', "import { x } from '../core/machine.ts';\nx();"],
    ['src/contract/planted.ts', "import type { X } from '../../server-kit/index.ts';\nexport type Y = X;"],
    ['src/core/planted.ts', "import { h } from 'preact';\nh('a', null);"],
    ['src/core/planted.ts', "import { x } from '../views/app.tsx';\nx();"],
    ['src/core/planted.ts', "import type { X } from '../model/model.ts';\nexport type Y = X;"],
    ['src/model/planted.ts', "import { x } from '../contract/index.ts';\nx();"],
    ['src/model/planted.ts', "import { x } from '../views/app.tsx';\nx();"],
    ['src/views/planted.tsx', "import { x } from '../core/machine.ts';\nx();"],
    ['src/views/planted.tsx', "import { x } from '../mounts/inline.ts';\nx();"],
    ['src/mounts/planted.ts', "import { x } from '../../server-kit/index.ts';\nx();"],
    ['src/index.ts', "import { x } from '../server-kit/index.ts';\nx();"],
    ['server-kit/planted.ts', "import { x } from '../src/core/machine.ts';\nx();"],
    ['server-kit/sandbox/planted.ts', "import { x } from '../../src/views/app.tsx';\nx();"],
    ['server-kit/planted.ts', "import { h } from 'preact';\nh('a', null);"],
    ['server-kit/planted.ts', "import { x } from '../demo/cart.ts';\nx();"],
    ['src/mounts/planted.ts', "import { x } from '../../demo/cart.ts';\nx();"],
  ])('%s may not hold %j', async (path, line) => {
    expect(await plant(path, line)).toContain('noRestrictedImports');
  });

  it.each([
    'src/core/planted.ts',
    'server-kit/planted.ts',
    'server-kit/stores/planted.ts',
    'server-kit/sandbox/planted.ts',
  ])('%s may not use Node’s own modules', async (path) => {
    expect(await plant(path, "import { readFileSync } from 'node:fs';\nreadFileSync('x');")).toContain(
      'noNodejsModules',
    );
  });

  it.each([
    ['src/core/planted.ts', "import { x } from '../contract/index.ts';\nx();"],
    ['src/model/planted.ts', "import { x } from '../core/machine.ts';\nx();"],
    ['src/views/planted.tsx', "import { x } from '../model/model.ts';\nx();"],
    ['server-kit/planted.ts', "import { x } from '../src/contract/index.ts';\nx();"],
    ['server-kit/sandbox/planted.ts', "import { x } from '../../src/contract/index.ts';\nx();"],
    ['server-kit/sandbox/planted.ts', "import { x } from '../signature.ts';\nx();"],
    ['server-kit/node.ts', "import { request } from 'node:http';\nrequest('x');"],
  ])('%s may hold %j', async (path, line) => {
    expect(await plant(path, line)).not.toMatch(/noRestrictedImports|noNodejsModules/);
  });
});
