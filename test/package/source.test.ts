import { describe, expect, it } from 'vitest';
import { runTool } from './tool.ts';

describe('the source', () => {
  it('is formatted and free of lint', async () => {
    const { code, output } = await runTool('biome', ['ci', '--colors=off', '--error-on-warnings', '.']);
    expect(code, output).toBe(0);
  });

  it('has no file, export or package that nothing uses', async () => {
    const { code, output } = await runTool('knip', []);
    expect(code, output).toBe(0);
  });

  it('has no type errors', async () => {
    // Several checkers would check shared types several times, which takes a third more processor time.
    const { code, output } = await runTool('tsc', ['-p', '.', '--checkers', '1']);
    expect(code, output).toBe(0);
  });
});
