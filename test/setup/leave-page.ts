import { afterAll, vi } from 'vitest';

/** Leaves the page of the worker as the next file expects it. */
afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  // Preact runs effects after the next frame. A frame that is still pending would fail once the environment of the file is removed.
  await new Promise(requestAnimationFrame);
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});
