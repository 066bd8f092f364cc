import { randomUUID } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { DataFileError } from './data-file-error.ts';
import { identityOf, isAlive, ProcessIdentity } from './process-identity.ts';

/** What a lock file holds: whose it is, and a text that no other lock ever holds. */
const Holder = v.object({ ...ProcessIdentity.entries, token: v.pipe(v.string(), v.regex(/^[\w-]+$/)) });
type Holder = v.InferOutput<typeof Holder>;

/** Locks that this process holds: without /proc, a lock with our own number may be of an earlier process. */
const heldTokens = new Set<string>();

export type FileLock = { release: () => Promise<void> };

/**
 * Takes `FILE.lock` for this process. A lock whose process is dead is taken over.
 *
 * @throws {DataFileError} `in_use` while a process that lives has it
 */
export async function lockFile(file: string): Promise<FileLock> {
  const path = `${file}.lock`;
  const holder = { ...(await identityOf(process.pid)), token: randomUUID() };
  await take(path, holder, file);
  return { release: () => release(path, holder) };
}

/**
 * A lock comes into being with its content, by a hard link. The lock of a dead process is replaced by whoever holds
 * the one further lock that is named after its token. Such a lock can be taken again once it is given back, but by
 * then the dead one is gone, which is looked for before it is replaced. So one process replaces it, and no lock of
 * a living one is ever touched. A process that dies in between leaves a lock like any other.
 */
async function take(path: string, holder: Holder, file: string): Promise<void> {
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
      await take(replacing.path, replacing.holder, file);
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

/** A lock that somebody has removed by hand may be another's by now. */
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

/** `undefined` when it was given back in the meantime. */
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
