/**
 * Why the browser's storage cannot be used: it is refused (`unavailable`), full (`full`), held by an older version of the
 * demo (`blocked`), closed by the browser (`closed`), in use by a newer worker (`replaced`), or it failed (`failed`).
 */
export type StorageErrorCode = 'unavailable' | 'full' | 'blocked' | 'closed' | 'replaced' | 'failed';

/** For people: what happened, and what to do. */
const messages: Readonly<Record<StorageErrorCode, string>> = {
  unavailable:
    'The browser does not let this site store data. Leave private browsing, or allow site data for this site, and reload the page.',
  full: 'The browser has no space left for this site. Free some space on the device, and reload the page.',
  blocked:
    'Another tab uses an older version of the demo. Close all other tabs of the demo, and reload the page.',
  closed:
    'The browser has closed the storage of this site. Reload the page; if it happens again, free some space on the device.',
  replaced: 'A newer worker has taken over the demo. Reload the page.',
  failed:
    'The storage of the browser has failed. Reload the page; if it fails again, delete the data of this site.',
};

/** The browser's storage cannot be used. The message is for people. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, options?: ErrorOptions) {
    super(messages[code], options);
    this.code = code;
  }
}

/** By the name of an exception. `AbortError`: the browser has closed the connection in the middle of the work. */
const codes: Readonly<Record<string, StorageErrorCode>> = {
  AbortError: 'closed',
  InvalidStateError: 'closed',
  QuotaExceededError: 'full',
  SecurityError: 'unavailable',
};

/** When a database is opened: Firefox reports refused storage as `InvalidStateError`. */
const openingCodes = { ...codes, InvalidStateError: 'unavailable' } as const;

const toStorageError = (error: unknown, codeOf: typeof codes): unknown =>
  error instanceof DOMException ? new StorageError(codeOf[error.name] ?? 'failed', { cause: error }) : error;

/** Converts an exception of the browser; any other error stays as it is. */
export const toOpeningError = (error: unknown): unknown => toStorageError(error, openingCodes);

/** Converts an exception of the browser; any other error stays as it is. */
export const toTransactionError = (error: unknown): unknown => toStorageError(error, codes);
