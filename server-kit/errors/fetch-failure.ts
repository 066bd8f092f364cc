/** Why a `fetch` failed. It says so in its cause, which for several addresses has a code and no message. */
export function describeFetchFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || String((cause as { code?: unknown }).code ?? error.message);
}
