import { onTestFinished, vi } from 'vitest';

/** Records what would be printed during the test. */
export function silenceConsole() {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => spy.mockRestore());
  return spy;
}
