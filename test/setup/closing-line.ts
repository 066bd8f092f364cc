import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Prints `N passed, N failed` as the last line. */
export default class ClosingLine implements Reporter {
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    // A file that failed to load, a failed hook and an error outside of tests count as failures.
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const module of modules) {
      failed += module.errors().length;
      for (const suite of module.children.allSuites()) failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed++;
        else if (state === 'failed') failed++;
        else skipped++;
      }
    }
    const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    if (this.vitest?.config.watch) this.vitest.logger.log(line);
    else process.once('exit', () => process.stdout.write(`${line}\n`));
  }
}
