/** Far deeper than any real body, and far from overflowing the stack. */
const maxDepth = 100;

/**
 * Returns the JSON text that is signed and sent: keys are sorted at every depth by UTF-16 code unit, arrays keep their
 * order. Keys that look like array indexes come first, in numeric order: JavaScript lists them so, and the service rebuilds
 * the object before it prints it.
 *
 * @throws {TypeError} for a value that JSON cannot carry, a key `__proto__`, or nesting deeper than 100
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(toPlainJson(value), 0));
}

/** Runs `toJSON`, drops members that are `undefined`, and refuses values that would silently become `null`. */
function toPlainJson(value: unknown): unknown {
  const text = JSON.stringify(value, function (this: unknown, key, item: unknown) {
    const isNumber = typeof item === 'number' || item instanceof Number;
    if (isNumber && !Number.isFinite(Number(item))) {
      throw new TypeError(`"${key}" is ${item}; JSON carries finite numbers only.`);
    }
    if (Array.isArray(this) && ['undefined', 'function', 'symbol'].includes(typeof item)) {
      throw new TypeError(
        `Item ${key} of an array is ${typeof item}, which JSON cannot carry; leave it out.`,
      );
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
    // Assigning this key would set the prototype and lose the value.
    if (key === '__proto__') throw new TypeError('The key "__proto__" cannot be sent; rename it.');
    sorted[key] = sortKeys(item, depth + 1);
  }
  return sorted;
}

const byCodeUnit = ([left]: [string, unknown], [right]: [string, unknown]): number =>
  left < right ? -1 : Number(left > right);
