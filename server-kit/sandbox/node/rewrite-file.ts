import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The suffix of a draft. It is random, so that nobody can create the file first. */
const draftSuffix = /^\.[\da-f-]{36}\.rewriting$/;

/**
 * Replaces the content of a file atomically, also when the process dies.
 *
 * @returns the new size in bytes
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
      for (const chunk of content) await handle.appendFile(chunk);
      await handle.sync();
      ({ size } = await handle.stat());
    } finally {
      await handle.close();
    }
    await rename(draft, file);
    return size;
  } catch (error) {
    // An incomplete draft is useless.
    await rm(draft, { force: true });
    throw error;
  }
}

/** Makes a renamed file survive a power failure. */
export async function syncFolderOf(file: string): Promise<void> {
  // Windows has no such call and does not need it.
  if (process.platform === 'win32') return;
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

/** Removes drafts of processes that died. The caller holds the lock of the file. */
export async function removeDrafts(file: string): Promise<void> {
  const name = basename(file);
  for (const other of await readdir(dirname(file))) {
    const isDraft = other.startsWith(name) && draftSuffix.test(other.slice(name.length));
    if (isDraft) await rm(join(dirname(file), other), { force: true });
  }
}
