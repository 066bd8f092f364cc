import { options } from 'preact';
import { afterAll, vi } from 'vitest';
import { createBrowserEnvironment } from '../../src/widget/dom/browser-environment.ts';

// Effects after the paint run in the turns that `settle` waits for.
options.requestAnimationFrame = setImmediate;

/** Leaves the page of the worker as the next file expects it. */
afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  // An effect that is still pending would fail once the environment of the file is removed.
  await new Promise(setImmediate);
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
  // Requests of stubbed servers never end.
  createBrowserEnvironment().held.count = 0;
});
