import { createHash } from 'node:crypto';

/**
 * Replaces WebCrypto's digest by one that runs on the main thread: the runtime's thread pool finishes digests in an unpredictable
 * order. Returns a function that restores the original.
 */
export function installSynchronousDigest(): () => void {
  const { subtle } = globalThis.crypto;
  const digest: SubtleCrypto['digest'] = async (_algorithm, data) => {
    const bytes = createHash('sha256')
      .update(new Uint8Array(data as ArrayBuffer))
      .digest();
    return new Uint8Array(bytes).buffer;
  };
  Object.defineProperty(subtle, 'digest', { value: digest, configurable: true, writable: true });
  return () => {
    delete (subtle as { digest?: unknown }).digest;
  };
}
