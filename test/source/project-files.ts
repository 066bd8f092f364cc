import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { projectFolder } from '../setup/demo-process.ts';

/** What examples that were run in place have written. */
const written = /^(?:node_modules|dist|build|\..*)$/;

/** Returns the paths of the source files below a folder of the project. */
export const listFolder = (folder: string): string[] =>
  readdirSync(join(projectFolder, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return written.test(entry.name) ? [] : listFolder(path);
  });
