#!/usr/bin/env node
import { waitWithTimer } from '../../core/time.ts';
import { run } from './run.ts';

const ending = new AbortController();
// Once, so that a second Ctrl-C ends the process immediately.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has closed the pipe, as `head` does.
    if (error.code !== 'EPIPE') throw error;
    ending.abort();
  });
}

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  fetch: globalThis.fetch,
  now: Date.now,
  wait: waitWithTimer,
  random: Math.random,
  signal: ending.signal,
});
for (const stream of [process.stdout, process.stderr]) {
  await new Promise<void>((resolve) => stream.write('', () => resolve()));
}
// Ends the process even while standard input or a merchant's connections are open.
process.exit();
