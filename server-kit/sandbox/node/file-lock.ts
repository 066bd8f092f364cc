import { randomUUID } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { DataFileError } from './data-file-error.ts';
import { identityOf, isAlive, ProcessIdentity } from './process-identity.ts';

/** The content of a lock file: its process and a unique token. */
const Holder = v.object({ ...ProcessIdentity.entries, token: v.pipe(v.string(), v.regex(/^[\w-]+$/)) });
type Holder = v.InferOutput<typeof Holder>;

/** Locks of this process. Without /proc, a lock with our own pid can be of an earlier process. */
const heldTokens = new Set<string>();

export type FileLock = { release: () => Promise<void> };

/**
 * Acquires `FILE.lock` for this process, also from a dead process.
 *
 * @throws {DataFileError} `in_use` while a live process holds it
 */
export async function lockFile(file: string): Promise<FileLock> {
  const path = `${file}.lock`;
  const holder = { ...(await identityOf(process.pid)), token: randomUUID() };
  await acquire(path, holder, file);
  return { release: () => release(path, holder) };
}

/**
 * Creates the lock with its content at once, by a hard link. Replacing the lock of a dead process requires a second lock,
 * named after the dead lock's token, and a check that the dead lock is still there. So exactly one process replaces it, and
 * the lock of a live process is never touched. A process that dies in between leaves an ordinary lock.
 */
async function acquire(path: string, holder: Holder, file: string): Promise<void> {
  const draft = `${path}.${holder.token}`;
  heldTokens.add(holder.token);
  await writeFile(draft, `${JSON.stringify(holder)}\n`, { flag: 'wx', flush: true });
  try {
    while (!(await linked(draft, path))) {
      const current = await readHolder(path);
      if (current === undefined) continue;
      if (await holds(current)) throw inUse(file, current.pid);
      const replacing = {
        path: `${path}.${current.token}.taking`,
        holder: { ...holder, token: randomUUID() },
      };
      await acquire(replacing.path, replacing.holder, file);
      try {
        if ((await readHolder(path))?.token !== current.token) continue;
        await rename(draft, path);
        return;
      } finally {
        await release(replacing.path, replacing.holder);
      }
    }
  } catch (error) {
    heldTokens.delete(holder.token);
    throw error;
  } finally {
    await unlink(draft).catch(ignoreMissing);
  }
}

/** Checks the token first: after a manual removal the lock can belong to another process. */
async function release(path: string, holder: Holder): Promise<void> {
  heldTokens.delete(holder.token);
  if ((await readHolder(path))?.token === holder.token) await unlink(path);
}

async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns `undefined` when the lock was released in the meantime. */
async function readHolder(path: string): Promise<Holder | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    ignoreMissing(error);
    return undefined;
  }
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), Holder), text);
  if (result.success) return result.output;
  throw new DataFileError(
    'foreign',
    `${path} is not a lock of the sandbox; remove it, or choose another file.`,
  );
}

async function holds(holder: Holder): Promise<boolean> {
  if (holder.pid === process.pid && holder.startedAt === null) return heldTokens.has(holder.token);
  return isAlive(holder);
}

const inUse = (file: string, pid: number): DataFileError =>
  new DataFileError('in_use', `${file} is in use by process ${pid}; stop it, or choose another file.`);

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
