import { readFile } from 'node:fs/promises';

/** Stands for the start of a process where the system does not report it (not Linux). */
export const unknownStart = 'unknown';

/** Returns the boot and the tick in which a process started, which distinguish it from an earlier process with the same pid. */
export async function startOf(pid: number): Promise<string> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    // Field 22 (proc(5)), counted after the name, which can contain spaces and brackets.
    return `${boot.trim()}-${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return unknownStart;
  }
}

/** Returns whether a process is alive. Without its start, the pid decides. */
export async function isAlive(pid: number, start: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const current = await startOf(pid);
  return start === current || start === unknownStart || current === unknownStart;
}
