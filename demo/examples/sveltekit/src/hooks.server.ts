import { getCheckout } from '$lib/server/shop';

/** SvelteKit calls this once at start-up. */
export const init = (): void => {
  getCheckout().start();
  // Responds to waiting requests. The event sveltekit:shutdown would come after them, up to 25 seconds later.
  process.once('SIGTERM', () => getCheckout().stop());
};
