import { CliError } from '../terminal/cli-error.ts';

/** @throws {CliError} `verifications_failed`, so that a scheduled run reports the failure */
export function failIfVerificationsFailed({ due, failed }: { due: number; failed: number }): void {
  if (failed === 0) return;
  const message = `${failed} of ${due} verifications failed; they are retried later. See the log of your checkout.`;
  throw new CliError('verifications_failed', message);
}
