import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../setup/demo-process.ts';
import { runTool } from './tool.ts';

describe('the source', () => {
  it('is formatted and free of lint', async () => {
    const { code, output } = await runTool('biome', ['ci', '--colors=off', '--error-on-warnings', '.']);
    expect(code, output).toBe(0);
  });

  it('has no file, export or package that nothing uses', async () => {
    const { code, output } = await runTool('knip', []);
    expect(code, output).toBe(0);
  });

  it('has no type errors', async () => {
    // Several checkers would check shared types several times, which takes a third more processor time.
    const { code, output } = await runTool('tsc', ['-p', '.', '--checkers', '1']);
    expect(code, output).toBe(0);
  });
});

/** Imports of Node's modules, in files that also run elsewhere, and in files for Node. */
const forbidden = ['server-kit/tools/sandbox/http', 'server-kit/checkout', 'demo/hosted/storage'];
const allowed = ['server-kit/tools/sandbox/node', 'demo/node'];

describe('the linter', async () => {
  /** Plants files in a folder of its own with our configuration, and lints it: the rules, not this tree, are tested. */
  const plantAll = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-lint-'));
    await copyFile(join(projectFolder, 'biome.json'), join(folder, 'biome.json'));
    const plant = async (name: string, code: string): Promise<void> => {
      await mkdir(join(folder, dirname(name)), { recursive: true });
      await writeFile(join(folder, name), code);
    };
    for (const room of [...forbidden, ...allowed])
      await plant(`${room}/planted.ts`, "import { x } from 'node:fs';\nexport type Y = typeof x;\n");
    await plant('src/core/one.ts', "import type { Two } from './two.ts';\nexport type One = Two[];\n");
    await plant('src/core/two.ts', "import type { One } from './one.ts';\nexport type Two = One[];\n");
    const { output } = await runTool('biome', ['lint', '--colors=off', '--max-diagnostics=none'], { folder });
    await rm(folder, { recursive: true });
    return output;
  };
  const output = await plantAll();
  const findings = (room: string): string[] =>
    output.split('\n').filter((one) => one.startsWith(`${room}/planted.ts`) && /noNodejsModules/.test(one));

  it.each(forbidden)('refuses Node’s modules in %s', (room) => {
    expect(findings(room)).not.toEqual([]);
  });

  it.each(allowed)('allows Node’s modules in %s', (room) => {
    expect(findings(room)).toEqual([]);
  });

  it('refuses a cycle of type imports', () => {
    expect(output).toMatch(/one\.ts.* lint\/suspicious\/noImportCycles/);
  });
});
