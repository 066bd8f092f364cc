import { createHash } from 'node:crypto';

/**
 * Makes WebCrypto's digests in place, where the runtime makes them on other threads, which end in an order of their own.
 * Gives the function that puts the runtime's own back.
 */
export function steadyDigest(): () => void {
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
