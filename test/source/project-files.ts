import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { projectFolder } from '../setup/demo-process.ts';

/** Projects of their own, with packages of their own. */
const examples = 'demo/examples';

/** Returns the paths of the files below a folder of the project, without the examples. */
export const listFolder = (folder: string): string[] =>
  readdirSync(join(projectFolder, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return path === examples ? [] : listFolder(path);
  });
