import { CheckoutError } from '../../contract/index.ts';

type ImportAgain = (name: string, attempt: number) => Promise<unknown>;

/** How often each part has failed to load, and how it is imported then: browsers remember both for the whole page. */
const failures = new Map<string, number>();
let importAgain: ImportAgain | undefined;

/**
 * Sets how a part that has failed to load is imported again. Browsers remember a failed import by its address, so it needs another one;
 * bundlers of npm users have their own way, and nothing needs to be set there.
 */
export function setRetryImport(way: ImportAgain | undefined): void {
  importAgain = way;
}

/**
 * Loads a lazy part of the checkout by its name, which is that of its file. A part that fails is asked for once more at once; the next
 * call tries again.
 *
 * @throws {CheckoutError} `load_failed`
 */
export async function loadLazyPart<Part>(name: string, load: () => Promise<Part>): Promise<Part> {
  const attempt = async (): Promise<Part> => {
    const failed = failures.get(name) ?? 0;
    try {
      return await (failed && importAgain ? (importAgain(name, failed) as Promise<Part>) : load());
    } catch (error) {
      failures.set(name, failed + 1);
      throw error;
    }
  };
  try {
    return await attempt().catch(attempt);
  } catch (cause) {
    throw new CheckoutError('load_failed', `The checkout’s file "${name}" is missing.`, { cause });
  }
}
