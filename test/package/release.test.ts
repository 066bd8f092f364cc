import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import { projectFolder } from '../setup/demo-process.ts';

const readFileOf = (path: string): Promise<string> => readFile(join(projectFolder, path), 'utf8');

describe('CHANGELOG.md', async () => {
  const headings: string[] = (await readFileOf('CHANGELOG.md')).match(/^## .*$/gm) ?? [];
  const released = headings.filter((heading) => heading !== '## Unreleased');

  it('begins with what is not released, or with the version of the package', () => {
    expect(released[0]).toMatch(new RegExp(`^## ${manifest.version} \\(\\d{4}-\\d\\d-\\d\\d\\)$`));
    expect(headings.indexOf('## Unreleased')).toBeLessThan(1);
  });
});

it('the examples take the release from npm', async () => {
  const entries = await readdir(join(projectFolder, 'demo/examples'), { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const { dependencies } = JSON.parse(await readFileOf(`demo/examples/${name}/package.json`));
    expect(dependencies['transfer-checkout'], name).toBe(manifest.version);
  }
});
