import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFillPage } from './fill-page.ts';
import { listPages, projectFolder } from './pages.ts';

const fillPage = await createFillPage();
for (const path of listPages()) {
  const file = join(projectFolder, path);
  const page = readFileSync(file, 'utf8');
  const filled = fillPage(page);
  if (filled === page) continue;
  writeFileSync(file, filled);
  process.stdout.write(`Updated ${path}.\n`);
}
