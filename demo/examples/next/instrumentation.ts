/** Next calls this once at start-up. */
export async function register(): Promise<void> {
  // Next also builds this file for its Edge runtime, without what this condition excludes.
  if (process.env.NEXT_RUNTIME === 'nodejs') await import('./start-checkout');
}
