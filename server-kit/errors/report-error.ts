/** Hears what no caller is told. */
export type OnError = (error: unknown) => unknown;

/** Tells the merchant; a fault in telling, at once or later, must not become a caller's or end the process. */
export function createErrorReporter(onError: OnError = reportToConsole): (error: unknown) => void {
  return (error) => {
    const tell = async () => onError(error);
    tell().catch(reportToConsole);
  };
}

function reportToConsole(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the default of `onError`, so that nothing is swallowed.
  console.error('[transfer-checkout]', error);
}
