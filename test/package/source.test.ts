import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../setup/demo-process.ts';
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
    const { code, output } = await runTool('tsc', ['-p', '.']);
    expect(code, output).toBe(0);
  });
});

const mayNotHold = [
  ['src/contract', "import { x } from '../core/machine.ts';"],
  ['src/contract', "import type { x } from '../../server-kit/index.ts';"],
  ['src/core', "import { x } from 'preact';"],
  ['src/core', "import { x } from '../views/index.ts';"],
  ['src/core', "import type { x } from '../model/index.ts';"],
  ['src/core', "import { x } from 'node:fs';"],
  ['src/model', "import { x } from '../contract/index.ts';"],
  ['src/model', "import { x } from '../views/index.ts';"],
  ['src/views', "import { x } from '../core/machine.ts';"],
  ['src/views', "import { x } from '../mounts/inline.ts';"],
  ['src/mounts', "import { x } from '../../server-kit/index.ts';"],
  ['src/mounts', "import { x } from '../../demo/cart.ts';"],
  ['src', "import { x } from '../server-kit/index.ts';"],
  ['server-kit', "import { x } from '../src/core/machine.ts';"],
  ['server-kit', "import { x } from 'preact';"],
  ['server-kit', "import { x } from '../demo/cart.ts';"],
  ['server-kit', "import { x } from 'node:fs';"],
  ['server-kit/sandbox', "import { x } from '../../src/views/index.ts';"],
  ['server-kit/sandbox', "import { x } from './node/index.ts';"],
  ['server-kit/sandbox', "import { x } from 'node:fs';"],
  ['server-kit/sandbox/http', "import { x } from '../node/index.ts';"],
  ['server-kit/sandbox/node', "import { x } from '../../cli/main.ts';"],
  ['server-kit/stores', "import { x } from 'node:fs';"],
] as const;

const mayHold = [
  ['src/core', "import { x } from '../contract/index.ts';"],
  ['src/model', "import { x } from '../core/index.ts';"],
  ['src/views', "import { x } from '../model/index.ts';"],
  ['server-kit', "import { x } from '../src/contract/index.ts';"],
  ['server-kit/sandbox', "import { x } from '../../src/contract/index.ts';"],
  ['server-kit/sandbox', "import { x } from '../signature.ts';"],
  ['server-kit/sandbox/node', "import { x } from 'node:fs';"],
  ['server-kit/cli', "import { x } from 'node:fs';"],
  ['server-kit/cli', "import { x } from '../sandbox/node/index.ts';"],
  ['test/server-kit', "import { x } from 'node:fs';"],
] as const;

describe('the layers', async () => {
  const fileOf = (folder: string, line: string): string =>
    `${folder}/planted-${createHash('sha1').update(line).digest('hex').slice(0, 8)}.ts`;

  /** Plants every line in a folder of its own with our configuration, and lints it: the rules, not this tree, are tested. */
  const plantAll = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-layers-'));
    await copyFile(join(projectFolder, 'biome.json'), join(folder, 'biome.json'));
    for (const [room, line] of [...mayNotHold, ...mayHold]) {
      await mkdir(join(folder, room), { recursive: true });
      await writeFile(join(folder, fileOf(room, line)), `${line}\nexport type Y = typeof x;\n`);
    }
    const { output } = await runTool('biome', ['lint', '--colors=off', '--max-diagnostics=none'], { folder });
    await rm(folder, { recursive: true });
    return output;
  };
  const output = await plantAll();
  const findings = (room: string, line: string): string[] =>
    output
      .split('\n')
      .filter((one) => one.startsWith(fileOf(room, line)) && /noRestrictedImports|noNodejsModules/.test(one));

  it.each(mayNotHold)('%s may not hold %s', (room, line) => {
    expect(findings(room, line)).not.toEqual([]);
  });

  it.each(mayHold)('%s may hold %s', (room, line) => {
    expect(findings(room, line)).toEqual([]);
  });
});
