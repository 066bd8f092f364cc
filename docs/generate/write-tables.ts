import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFillPage, listPages } from './pages.ts';
import { projectFolder } from './source.ts';

const fillPage = await createFillPage();
for (const path of listPages()) {
  const file = join(projectFolder, path);
  const page = readFileSync(file, 'utf8');
  const filled = fillPage(page);
  if (filled !== page) writeFileSync(file, filled);
}
