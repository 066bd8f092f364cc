import { readFile } from 'node:fs/promises';
import * as v from 'valibot';

/** Identifies a process, also when its pid is reused later. */
export const ProcessIdentity = v.object({
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** The boot and the tick of its start; `null` where the system does not report them (not Linux). */
  startedAt: v.nullable(v.string()),
});
export type ProcessIdentity = v.InferOutput<typeof ProcessIdentity>;

export const identityOf = async (pid: number): Promise<ProcessIdentity> => ({
  pid,
  startedAt: await startOf(pid),
});

/** Returns whether the process is alive. Without a start time, the pid decides. */
export async function isAlive({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const current = await startOf(pid);
  return startedAt === null || current === null || startedAt === current;
}

/** Reads field 22 of `stat` (proc(5)), counted after the name, which can contain spaces and brackets. */
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
