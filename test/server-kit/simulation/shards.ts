import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { WaveResult } from './wave.ts';
import type { WaveSettings } from './world/settings.ts';

/**
 * Runs the waves in several child processes, each of which takes the next wave when it is free. The result of a wave depends
 * only on its settings.
 *
 * @param onResult returns false to start no more waves
 */
export async function runInShards(
  file: string,
  shards: number,
  waves: readonly WaveSettings[],
  onResult: (settings: WaveSettings, result: WaveResult) => boolean,
): Promise<void> {
  const left = [...waves];
  let isOver = false;

  async function work(child: ChildProcess): Promise<void> {
    const died = once(child, 'exit').then(([code]) => {
      throw new Error(`A simulation process exited with code ${code}.`);
    });
    died.catch(() => {});
    for (let settings = left.shift(); settings !== undefined && !isOver; settings = left.shift()) {
      const responded = once(child, 'message');
      child.send(settings);
      const [result] = (await Promise.race([responded, died])) as [WaveResult];
      isOver ||= !onResult(settings, result);
    }
  }

  const children = Array.from({ length: Math.min(shards, waves.length) }, () =>
    // Most objects are short-lived: a larger young generation saves a tenth of the time.
    fork(file, ['--shard'], { execArgv: ['--max-semi-space-size=64'] }),
  );
  try {
    await Promise.all(children.map(work));
  } finally {
    for (const child of children) child.kill();
  }
}

/** Runs the waves that the parent process sends. */
export function serveAsShard(run: (settings: WaveSettings) => Promise<WaveResult>): void {
  process.on('message', async (settings: WaveSettings) => process.send?.(await run(settings)));
  process.on('disconnect', () => process.exit());
}
