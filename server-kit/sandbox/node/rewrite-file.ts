import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** What a draft is called behind the name of its file: nobody can guess it, and put something else there. */
const draftSuffix = /^\.[\da-f-]{36}\.rewriting$/;

/**
 * Gives a file another content: the old one is there or the new one, whenever the process dies.
 *
 * @returns its size in bytes
 */
export async function rewriteFile(file: string, content: Iterable<string>): Promise<number> {
  const draft = `${file}.${randomUUID()}.rewriting`;
  const mode = await stat(file).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  );
  const handle = await open(draft, 'wx', mode);
  try {
    let size: number;
    try {
      for (const piece of content) await handle.appendFile(piece);
      await handle.sync();
      ({ size } = await handle.stat());
    } finally {
      await handle.close();
    }
    await rename(draft, file);
    return size;
  } catch (error) {
    // Half of it would only fill the disk.
    await rm(draft, { force: true });
    throw error;
  }
}

/** Makes a new name last when the power fails. */
export async function syncFolderOf(file: string): Promise<void> {
  // Windows has no such call, and keeps the name by itself.
  if (process.platform === 'win32') return;
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

/** What processes left that died while they were rewriting. Only for whoever has the file. */
export async function removeDrafts(file: string): Promise<void> {
  const name = basename(file);
  for (const other of await readdir(dirname(file))) {
    const isDraft = other.startsWith(name) && draftSuffix.test(other.slice(name.length));
    if (isDraft) await rm(join(dirname(file), other), { force: true });
  }
}
