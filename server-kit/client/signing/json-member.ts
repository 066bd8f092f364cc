/** Far deeper than any record, and far from overflowing the stack. */
const maxDepth = 100;

type Container = { keys: Set<string> | undefined; memberStart: number; member: string | undefined };

/**
 * Returns the text of one member of a JSON object exactly as in `text`, or `undefined` if there is none. A signature over
 * the bytes as received needs this slice, because parsing and printing change escapes and numbers.
 *
 * @throws {SyntaxError} if `text` is not a JSON object, or has a key twice at any depth: parsers keep the last of two equal
 *   keys, so the signed value and the parsed value could differ
 */
export function sliceJsonMember(text: string, name: string): string | undefined {
  parseObject(text);
  return scan(text, { name, depth: Number.POSITIVE_INFINITY });
}

/**
 * Parses a JSON object that every parser reads the same way, and that is safe to walk recursively.
 *
 * @throws {SyntaxError} as `sliceJsonMember`, and for nesting deeper than 100; it may quote the text
 */
export function parseJsonObject(text: string): unknown {
  const parsed = parseObject(text);
  scan(text, { name: '', depth: maxDepth });
  return parsed;
}

function parseObject(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new SyntaxError('The JSON text is not an object.');
  }
  return parsed;
}

/** The text is known to be valid JSON, so only strings and brackets matter. */
function scan(text: string, { name, depth }: { name: string; depth: number }): string | undefined {
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
      if (stack.length >= depth) throw new SyntaxError(`The JSON text nests deeper than ${depth} levels.`);
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
