/**
 * Why the browser's storage cannot be used: it is refused (`unavailable`), full (`full`), held by an older version of the
 * demo (`blocked`), closed by the browser (`closed`), in use by a newer worker (`replaced`), or it failed (`failed`).
 */
export type StorageErrorCode = 'unavailable' | 'full' | 'blocked' | 'closed' | 'replaced' | 'failed';

/** For people: what has happened, and what to do. */
const messages: Readonly<Record<StorageErrorCode, string>> = {
  unavailable:
    'The browser does not let this site store data. Leave private browsing, or allow site data for this site, and reload the page.',
  full: 'The browser has no space left for this site. Free some space on the device, and reload the page.',
  blocked:
    'Another tab uses an older version of the demo. Close all other tabs of the demo, and reload the page.',
  closed: 'The browser has closed the storage of this site. Reload the page.',
  replaced: 'A newer worker has taken over the demo. Reload the page.',
  failed: 'The storage of the browser has failed. Delete the data of this site, and reload the page.',
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

/** Names of exceptions when a database is opened. Firefox reports refused storage as `InvalidStateError`. */
const openingCodes: Readonly<Record<string, StorageErrorCode>> = {
  InvalidStateError: 'unavailable',
  SecurityError: 'unavailable',
  QuotaExceededError: 'full',
};

/** Names of exceptions of an open database. `AbortError`: the browser has ended the transaction. */
const transactionCodes: Readonly<Record<string, StorageErrorCode>> = {
  InvalidStateError: 'closed',
  AbortError: 'closed',
  QuotaExceededError: 'full',
};

const toStorageError = (error: unknown, codes: Readonly<Record<string, StorageErrorCode>>): unknown =>
  error instanceof DOMException ? new StorageError(codes[error.name] ?? 'failed', { cause: error }) : error;

/** Converts an exception of the browser; any other error stays as it is. */
export const toOpeningError = (error: unknown): unknown => toStorageError(error, openingCodes);

/** Converts an exception of the browser; any other error stays as it is. */
export const toTransactionError = (error: unknown): unknown => toStorageError(error, transactionCodes);
