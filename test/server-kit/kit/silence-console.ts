import { onTestFinished, vi } from 'vitest';

/** Notes what would be printed while the test runs. */
export function silenceConsole() {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => spy.mockRestore());
  return spy;
}
