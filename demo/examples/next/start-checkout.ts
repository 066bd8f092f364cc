import { getShop } from './shop';

const { checkout } = getShop();
checkout.start();

// Next leaves this signal to us, because `.env` sets NEXT_MANUAL_SIG_HANDLE.
process.once('SIGTERM', async () => {
  await checkout.stop();
  // Waiting requests have their responses by now; Next takes a moment to send them.
  setTimeout(() => process.exit(0), 1000);
});
