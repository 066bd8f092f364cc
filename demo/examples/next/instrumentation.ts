/** Next calls this once at start-up. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { getShop } = await import('./shop.ts');
  const { checkout } = getShop();
  checkout.start();
  // Set NEXT_MANUAL_SIG_HANDLE=true, because otherwise Next exits without waiting.
  process.once('SIGTERM', async () => {
    await checkout.stop();
    // Waiting requests have their responses by now; Next takes a moment to send them.
    setTimeout(() => process.exit(0), 1000);
  });
}
