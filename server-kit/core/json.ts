/** Far deeper than any record, and far from overflowing the stack. */
const maxDepth = 100;

/** Returns the JSON text that is signed: keys sorted by UTF-16 code unit, but array indexes first, as the service prints them. Throws a `TypeError`. */
export function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value, refuseLost);
  if (text === undefined) throw new TypeError('The body is not a value that JSON can carry; pass an object.');
  return JSON.stringify(sortKeys(JSON.parse(text), 0));
}

/** JSON would replace these with null. */
function refuseLost(this: unknown, key: string, item: unknown): unknown {
  const isNumber = typeof item === 'number' || item instanceof Number;
  const isItem = Array.isArray(this) && ['undefined', 'function', 'symbol'].includes(typeof item);
  if (isItem || (isNumber && !Number.isFinite(Number(item))))
    throw new TypeError(`JSON cannot carry the value of "${key}", ${String(item)}; leave it out.`);
  return item;
}

function sortKeys(value: unknown, depth: number): unknown {
  if (depth > maxDepth) throw new TypeError(`The body nests deeper than ${maxDepth} levels; flatten it.`);
  if (Array.isArray(value)) return value.map((item) => sortKeys(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  // Assigning this key would set the prototype and lose the value.
  if (Object.hasOwn(value, '__proto__'))
    throw new TypeError('The key "__proto__" cannot be sent; rename it.');
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key as keyof typeof value], depth + 1)]));
}

/** Parses a JSON object. Throws a `SyntaxError`, which may quote the text, for anything else, a key twice, or more than 100 levels. */
export function parseJsonObject(text: string): object {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new SyntaxError('The JSON text is not an object.');
  sliceJsonMember(text, '');
  return parsed;
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]/g;

/** Returns a member's text as signed. Throws a `SyntaxError` for a key that occurs twice: its signed and its parsed value could differ. */
export function sliceJsonMember(text: string, name: string): string | undefined {
  // The keys of each open object; `undefined` for an array.
  const open: (Set<string> | undefined)[] = [];
  let [isKeyNext, member, start] = [false, '', 0];
  let slice: string | undefined;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const keys = open.at(-1);
    if (token === '{' || token === '[') {
      isKeyNext = token === '{';
      open.push(isKeyNext ? new Set() : undefined);
      if (open.length > maxDepth)
        throw new SyntaxError(`The JSON text nests deeper than ${maxDepth} levels.`);
    } else if (token === ',' || token === '}' || token === ']') {
      if (open.length === 1 && member === name) slice = text.slice(start, index).trim();
      isKeyNext = token === ',' && keys !== undefined;
      if (token !== ',') open.pop();
    } else if (token === ':') {
      if (open.length === 1) start = index + 1;
    } else if (isKeyNext) {
      const key = JSON.parse(token) as string;
      if (keys?.has(key)) throw new SyntaxError(`The key ${token} occurs twice in one object.`);
      keys?.add(key);
      if (open.length === 1) member = key;
      isKeyNext = false;
    }
  }
  return slice;
}
