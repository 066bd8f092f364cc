import { parseJsonObject } from '../../../core/json.ts';
import { SandboxError } from '../errors.ts';

/**
 * Parses a JSON object that every parser reads in the same way. Throws 400 `body_malformed` for text that is not a JSON object, or that
 * holds a key twice, the key `__proto__` or half of a surrogate pair
 */
export function parseObject(text: string): unknown {
  let body: unknown;
  try {
    body = parseJsonObject(text);
  } catch (cause) {
    throw new SandboxError('body_malformed', `The body cannot be read: ${(cause as Error).message}`);
  }
  const fault = findUnsafeValue(body);
  if (fault !== undefined) throw new SandboxError('body_malformed', `The body holds ${fault}.`);
  return body;
}

/** Describes the first value that cannot be stored or sent unchanged; `undefined` for none. */
export function findUnsafeValue(body: unknown): string | undefined {
  // A stack instead of recursion, because the sender chooses the depth.
  const pending: unknown[] = [body];
  const seen = new Set<object>();
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
      return 'half of a surrogate pair, which is no character';
    }
    // Values from this process can be cyclic.
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (Object.hasOwn(value, '__proto__')) return 'the key "__proto__"; rename it';
    for (const [key, item] of Object.entries(value)) pending.push(key, item);
  }
  return undefined;
}
