/** Whether a status is 2xx. Only these acknowledge a callback. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Describes why `fetch` failed. The reason is in its cause, which has only a code when several addresses were tried. */
export function describeFetchFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || String((cause as { code?: unknown }).code ?? error.message);
}
