import { afterAll, vi } from 'vitest';

// Preact runs effects after the next frame. A frame that is still pending would fail once the environment of the file is removed.
afterAll(async () => {
  vi.useRealTimers();
  await new Promise(requestAnimationFrame);
});
