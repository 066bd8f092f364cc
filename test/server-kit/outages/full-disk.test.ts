import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, onTestFinished } from 'vitest';
import { createSqliteStore } from '../../../server-kit/stores/sqlite/store.ts';
import { createTestClock } from '../kit/test-clock.ts';
import { expectOutageSurvived } from './expect-outage-survived.ts';

/** Mounts a disk of a megabyte; `undefined` where only root may. It is gone after the test. */
function mountDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'transfer-checkout-disk-'));
  onTestFinished(() => rmdirSync(folder));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'pipe' });
  } catch (cause) {
    const silence = `A disk could not be mounted (${cause}), so no test fills one`;
    if (process.env.REQUIRE_SERVICES) throw new Error(`${silence}.`, { cause });
    console.warn(`${silence}.`);
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

/** Writes a file that leaves no page free. */
function fill(folder: string, file: string): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(file, Buffer.alloc(bavail * bsize));
}

it('a disk that is full for a time, under SQLite makes the instance unready, loses nothing, and is used again at once', async ({
  skip,
}) => {
  const folder = mountDisk();
  if (folder === undefined) return skip();
  const clock = createTestClock();
  const store = createSqliteStore({ url: `file:${join(folder, 'shop.db')}`, now: clock.now });
  onTestFinished(() => store.close());
  const ballast = join(folder, 'ballast');
  await expectOutageSurvived({
    store,
    clock,
    begin: () => fill(folder, ballast),
    end: () => rmSync(ballast),
  });
});
