import { readFile } from 'node:fs/promises';
import * as v from 'valibot';

/** A process, so that another one that was given its number later is told from it. */
export const ProcessIdentity = v.object({
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** The boot and the tick at which it started, where the system tells (Linux). */
  startedAt: v.nullable(v.string()),
});
export type ProcessIdentity = v.InferOutput<typeof ProcessIdentity>;

export const identityOf = async (pid: number): Promise<ProcessIdentity> => ({
  pid,
  startedAt: await startOf(pid),
});

/** Whether that very process lives. Where the system does not tell when it started, its number decides. */
export async function isAlive({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const current = await startOf(pid);
  return startedAt === null || current === null || startedAt === current;
}

/** proc(5): field 22 of `stat`, counted from behind the name, which may hold spaces and brackets. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    const tick = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return tick === undefined ? null : `${boot.trim()}/${tick}`;
  } catch {
    return null;
  }
}
