import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDataFile } from '../../../../../server-kit/tools/sandbox/node/index.ts';

const newPath = async () => join(await mkdtemp(join(tmpdir(), 'data-file-')), 'records.json');

it('has every entry in its file when `append` resolves', async () => {
  const path = await newPath();
  const file = await openDataFile(path);
  await file.append([['payments', 'a', { id: 'a', amount: 1 }]]);
  await file.append([
    ['payments', 'a', { id: 'a', amount: 2 }],
    ['payments', 'b', { id: 'b', amount: 3 }],
  ]);
  await file.append([['payments', 'b', null]]);
  // Without `close`: a killed process does not call it.
  expect((await openDataFile(path)).entries).toEqual([['payments', 'a', { id: 'a', amount: 2 }]]);
  expect(await readdir(join(path, '..'))).toEqual(['records.json']);
});
