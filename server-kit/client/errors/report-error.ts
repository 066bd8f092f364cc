import { errorText } from './error-text.ts';

/** Receives errors that no caller gets. */
export type OnError = (error: unknown) => unknown;

/**
 * Creates a function that passes errors to `onError`. If `onError` itself fails, the failure is logged and does not reach
 * the caller.
 */
export function createErrorReporter(onError: OnError = reportToConsole): (error: unknown) => void {
  return (error) => {
    const run = async () => onError(error);
    run().catch(reportToConsole);
  };
}

function reportToConsole(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the default of `onError`, so that nothing is swallowed.
  console.error('[transfer-checkout]', errorText(error));
}
