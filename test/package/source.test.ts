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

/** For each kind of rule, an import that breaks it. */
const forbidden = [
  // A layer imports only from those below it, types included.
  ['src/core', "import type { x } from '../model/index.ts';"],
  ['src/core/machine', "import type { x } from '../session/resume.ts';"],
  ['src/model/description', "import type { x } from '../leaving.ts';"],
  ['server-kit/stores', "import type { x } from '../payments/outcome.ts';"],
  ['server-kit/client/request', "import type { x } from '../client.ts';"],
  ['server-kit/verification/budget', "import type { x } from '../../sessions/session.ts';"],
  ['server-kit/fairness', "import type { x } from '../limits/client-key.ts';"],
  ['server-kit/operator', "import type { x } from '../stores/store.ts';"],
  ['server-kit/sandbox/records', "import type { x } from '../world/world.ts';"],
  ['server-kit/sandbox/world', "import type { x } from '../control/control.ts';"],
  ['demo/hosted/storage', "import type { x } from '../../../server-kit/payments/outcome.ts';"],
  ['demo/look/page', "import type { x } from '../../panel/forms/form.tsx';"],
  ['demo/look/model', "import type { x } from '../../../server-kit/index.ts';"],
  // The browser and the server share only the contract.
  ['server-kit/sandbox', "import { x } from '../../src/core/machine.ts';"],
  ['src/mount', "import { x } from '../../server-kit/index.ts';"],
  // Only what is for Node may use its modules.
  ['server-kit/sandbox/http', "import { x } from 'node:fs';"],
  ['demo/hosted/storage', "import { x } from 'node:crypto';"],
] as const;

const allowed = [
  ['src/core', "import { x } from '../contract/index.ts';"],
  ['server-kit/verification/budget', "import { x } from '../../stores/store.ts';"],
  ['server-kit/verification/budget', "import { x } from '../../fairness/fair-queue.ts';"],
  ['server-kit/sandbox', "import { x } from '../../src/contract/index.ts';"],
  ['server-kit/sandbox/node', "import { x } from 'node:fs';"],
  ['demo/hosted/storage', "import { x } from '../../../server-kit/stores/store.ts';"],
  ['demo/look/page', "import { x } from '../../gallery/show-screen.ts';"],
  ['demo/look/page', "import { x } from '../model/look.ts';"],
] as const;

describe('the layers', async () => {
  const fileOf = (folder: string, line: string): string =>
    `${folder}/planted-${createHash('sha1').update(line).digest('hex').slice(0, 8)}.ts`;

  /** Plants every line in a folder of its own with our configuration, and lints it: the rules, not this tree, are tested. */
  const plantAll = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-layers-'));
    await copyFile(join(projectFolder, 'biome.json'), join(folder, 'biome.json'));
    for (const [room, line] of [...forbidden, ...allowed]) {
      await mkdir(join(folder, room), { recursive: true });
      await writeFile(join(folder, fileOf(room, line)), `${line}\nexport type Y = typeof x;\n`);
    }
    for (const [name, other] of [
      ['one', 'two'],
      ['two', 'one'],
    ])
      await writeFile(
        join(folder, `src/core/cycle-${name}.ts`),
        `import type { ${other} } from './cycle-${other}.ts';\nexport type ${name} = ${other}[];\n`,
      );
    const { output } = await runTool('biome', ['lint', '--colors=off', '--max-diagnostics=none'], { folder });
    await rm(folder, { recursive: true });
    return output;
  };
  const output = await plantAll();
  const findings = (room: string, line: string): string[] =>
    output
      .split('\n')
      .filter((one) => one.startsWith(fileOf(room, line)) && /noRestrictedImports|noNodejsModules/.test(one));

  it.each(forbidden)('refuse in %s: %s', (room, line) => {
    expect(findings(room, line)).not.toEqual([]);
  });

  it.each(allowed)('allow in %s: %s', (room, line) => {
    expect(findings(room, line)).toEqual([]);
  });

  it('refuse a cycle of type imports', () => {
    expect(output).toMatch(/cycle-one\.ts.* lint\/suspicious\/noImportCycles/);
  });

  it('have a rule for each room below the entry points', async () => {
    const { overrides } = JSON.parse(await readFile(join(projectFolder, 'biome.json'), 'utf8')) as {
      overrides: {
        includes: string[];
        linter: { rules: { style?: { noRestrictedImports?: { level: string } } } };
      }[];
    };
    const ruled = overrides
      .filter(({ linter }) => linter.rules.style?.noRestrictedImports?.level === 'error')
      .flatMap(({ includes }) => includes);
    const foldersOf = async (half: string): Promise<string[]> =>
      (await readdir(join(projectFolder, half), { withFileTypes: true }))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${half}/${name}/**`);
    const folders = [...(await foldersOf('src')), ...(await foldersOf('server-kit'))];
    // They may take everything below them: the rule of their half is enough.
    const entryRooms = [
      'src/mount/**',
      'server-kit/sandbox/**',
      'server-kit/cli/**',
      'server-kit/testing/**',
    ];
    const wanted = [...folders.filter((folder) => !entryRooms.includes(folder)), 'src/**', 'server-kit/**'];
    expect(wanted.filter((folder) => !ruled.includes(folder))).toEqual([]);
  });
});
