/** Far deeper than any record, and far from overflowing the stack. */
const maxDepth = 100;

/**
 * Returns the JSON text that is signed and sent: keys are sorted at every depth by UTF-16 code unit, arrays keep their
 * order. Keys that look like array indexes come first, in numeric order: JavaScript lists them so, and the service rebuilds
 * the object before it prints it.
 *
 * @throws {TypeError} for a value that JSON cannot carry, a key `__proto__`, or nesting deeper than 100
 */
export function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError('The body is not a value that JSON can carry; pass an object.');
  return JSON.stringify(sortKeys(JSON.parse(text), 0));
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

/**
 * Returns the text of one member of a JSON object exactly as in `text`, or `undefined` if there is none. A signature over
 * the bytes as received needs this slice, because parsing and printing change escapes and numbers.
 *
 * @throws {SyntaxError} if `text` is not a JSON object, or has a key twice at any depth: parsers keep the last of two equal
 *   keys, so the signed value and the parsed value could differ
 */
export function sliceJsonMember(text: string, name: string): string | undefined {
  parseJsonObject(text);
  return scan(text, name);
}

/** @throws {SyntaxError} if the text is not a JSON object; it may quote the text */
export function parseJsonObject(text: string): object {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  throw new SyntaxError('The JSON text is not an object.');
}

type Container = { keys: Set<string> | undefined; memberStart: number; member: string | undefined };

/** The text is known to be valid JSON, so only strings and brackets matter. */
function scan(text: string, name: string): string | undefined {
  const stack: Container[] = [];
  let slice: string | undefined;
  const endMember = (end: number): void => {
    const container = stack.at(-1);
    if (stack.length === 1 && container?.member === name)
      slice = text.slice(container.memberStart, end).trim();
  };
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    const container = stack.at(-1);
    if (character === '"') {
      const end = endOfString(text, index);
      const isKey = container?.keys !== undefined && container.member === undefined;
      if (isKey) addKey(container, JSON.parse(text.slice(index, end)) as string);
      index = end - 1;
    } else if (character === ':' && container !== undefined) {
      container.memberStart = index + 1;
    } else if (character === '{' || character === '[') {
      stack.push({ keys: character === '{' ? new Set() : undefined, memberStart: 0, member: undefined });
    } else if (character === '}' || character === ']') {
      endMember(index);
      stack.pop();
    } else if (character === ',' && container?.keys !== undefined) {
      endMember(index);
      container.member = undefined;
    }
  }
  return slice;
}

function addKey(container: Container, key: string): void {
  if (container.keys?.has(key))
    throw new SyntaxError(`The key ${JSON.stringify(key)} occurs twice in one object.`);
  container.keys?.add(key);
  container.member = key;
}

/** Returns the index after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index + 1;
}
