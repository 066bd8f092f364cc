import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { projectFolder } from '../setup/demo-process.ts';
import { packInto, runTool } from './tool.ts';

const manifest = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
};

describe('the package', () => {
  it('passes publint, and holds the built files, the documentation and nothing else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { file, paths } = await packInto(folder);
    const others = paths.filter((path) => !/^(dist\/.*|docs\/(.*\.md|images\/.*\.png))$/.test(path));
    expect(others.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    const { buffer: tarball } = new Uint8Array(await readFile(file));
    const { messages } = await publint({ strict: true, pack: { tarball } });
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
  });

  it('can be imported in Node, where there is no DOM', async () => {
    const entries = Object.keys(manifest.exports).filter((entry) => !/\.(js|css|json)$/.test(entry));
    const names = entries.map((entry) => `transfer-checkout${entry.slice(1)}`);
    const script = `for (const name of ${JSON.stringify(names)}) await import(name).catch((error) => console.log(name, error))`;
    const { code, output } = await runTool('node', ['--input-type=module', '--eval', script]);
    expect({ code, output }).toEqual({ code: 0, output: '' });
  });

  it('shares the origins that a page allows between the entries that export the function', async () => {
    const entries = ['index', 'element'].map((name) => import(join(projectFolder, `dist/${name}.js`)));
    const [index, element] = await Promise.all(entries);
    expect(typeof index.allowOrigins).toBe('function');
    expect(index.allowOrigins).toBe(element.allowOrigins);
  });
});
