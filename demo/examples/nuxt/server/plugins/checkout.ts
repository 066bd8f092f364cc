/** Nitro calls this once at start-up. */
export default defineNitroPlugin(() => {
  getCheckout().start();
  // Responds to waiting requests, so that the server can close.
  process.once('SIGTERM', () => getCheckout().stop());
});
