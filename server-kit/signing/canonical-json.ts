/** How deep a body may nest before it is refused: far beyond any real one, far below what a stack can bear. */
const maxDepth = 100;

/**
 * The JSON text that is hashed for a signature, and sent: keys sorted at every depth by UTF-16 code unit, arrays
 * left in order. Keys that look like array indexes come first in number order, because a JavaScript object lists
 * them so, and the service's own implementation rebuilds the object before it writes it.
 *
 * @throws {TypeError} for a value that JSON cannot carry, a key `__proto__`, or nesting past 100.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(toPlainJson(value), 0));
}

/** Runs `toJSON`, drops members that are `undefined`, and refuses what would silently become `null`. */
function toPlainJson(value: unknown): unknown {
  const text = JSON.stringify(value, function (this: unknown, key, item: unknown) {
    const isNumber = typeof item === 'number' || item instanceof Number;
    if (isNumber && !Number.isFinite(Number(item))) {
      throw new TypeError(`"${key}" is ${item}; JSON carries finite numbers only.`);
    }
    if (Array.isArray(this) && ['undefined', 'function', 'symbol'].includes(typeof item)) {
      throw new TypeError(`Item ${key} of a list is ${typeof item}, which JSON cannot carry; leave it out.`);
    }
    return item;
  });
  if (text === undefined) throw new TypeError('The body is not a value that JSON can carry; pass an object.');
  return JSON.parse(text);
}

function sortKeys(value: unknown, depth: number): unknown {
  if (depth > maxDepth) throw new TypeError(`The body nests deeper than ${maxDepth} levels; flatten it.`);
  if (Array.isArray(value)) return value.map((item) => sortKeys(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const sorted: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value).sort(byCodeUnit)) {
    // Assigning this key would set a prototype and lose the value from what is signed.
    if (key === '__proto__') throw new TypeError('The key "__proto__" cannot be sent; rename it.');
    sorted[key] = sortKeys(item, depth + 1);
  }
  return sorted;
}

const byCodeUnit = ([left]: [string, unknown], [right]: [string, unknown]): number =>
  left < right ? -1 : Number(left > right);
