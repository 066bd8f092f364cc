import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

/** One of each kind of rule of ours. That the linter knows folders and types of imports is its own tests' affair. */
const mayNotHold = [
  // A layer imports from those below it alone, types included.
  ['src/core', "import type { x } from '../model/index.ts';"],
  // The browser's half and the server's share the contract alone.
  ['server-kit', "import { x } from '../src/core/machine.ts';"],
  // Only what is for Node may use it.
  ['server-kit/sandbox/http', "import { x } from 'node:fs';"],
] as const;

const mayHold = [
  ['src/core', "import { x } from '../contract/index.ts';"],
  ['server-kit/sandbox', "import { x } from '../../src/contract/index.ts';"],
  ['server-kit/sandbox/node', "import { x } from 'node:fs';"],
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

  it('has a rule for each folder of src but the top one, and for server-kit', async () => {
    const { overrides } = JSON.parse(await readFile(join(projectFolder, 'biome.json'), 'utf8')) as {
      overrides: {
        includes: string[];
        linter: { rules: { style?: { noRestrictedImports?: { level: string } } } };
      }[];
    };
    const ruled = overrides
      .filter(({ linter }) => linter.rules.style?.noRestrictedImports?.level === 'error')
      .flatMap(({ includes }) => includes);
    const entries = await readdir(join(projectFolder, 'src'), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'mounts');
    const wanted = [...folders.map(({ name }) => `src/${name}/**`), 'src/**', 'server-kit/**'];
    expect(wanted.filter((folder) => !ruled.includes(folder))).toEqual([]);
  });
});
