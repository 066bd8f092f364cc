import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '../setup/demo-process.ts';
import { bundleScript } from './bundled-page.ts';

it('bundles scripts of one folder at the same time, each into its own page', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `page ${index}`);
  const bundle = (name: string) =>
    bundleScript(`document.title = '${name}';`, { folder: join(projectFolder, 'build') });
  const pages = await Promise.all(names.map(bundle));
  expect(pages.map((code) => /page \d/.exec(code)?.[0])).toEqual(names);
});
