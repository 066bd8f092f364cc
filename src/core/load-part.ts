import { CheckoutError } from '../contract/index.ts';

type RetryImport = (name: string, attempt: number) => Promise<unknown>;

/** Failed imports by name, for the whole page: browsers remember a failed import by its URL. */
const failures = new Map<string, number>();
let retryImport: RetryImport | undefined;

export function setRetryImport(retry: RetryImport | undefined): void {
  retryImport = retry;
}

/** Loads a lazy part by its file name, and retries once. @throws {CheckoutError} `load_failed` */
export async function loadPart<Part>(name: string, load: () => Promise<Part>): Promise<Part> {
  const attempt = async (): Promise<Part> => {
    const failed = failures.get(name) ?? 0;
    try {
      return await (failed && retryImport ? (retryImport(name, failed) as Promise<Part>) : load());
    } catch (error) {
      failures.set(name, failed + 1);
      throw error;
    }
  };
  try {
    return await attempt().catch(attempt);
  } catch (cause) {
    throw new CheckoutError('load_failed', `The checkout’s file "${name}" could not be loaded.`, { cause });
  }
}
