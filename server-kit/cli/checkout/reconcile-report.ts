import { CliError } from '../terminal/cli-error.ts';

/** @throws {CliError} `looks_failed`, so that whoever runs the command by a timer hears of it */
export function failIfLooksFailed({ due, failed }: { due: number; failed: number }): void {
  if (failed === 0) return;
  const message = `${failed} of ${due} looks failed; they are made again later. The log of your checkout says why.`;
  throw new CliError('looks_failed', message);
}
