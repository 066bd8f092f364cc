/** How deep a response may nest: far beyond any record, far below what a stack can bear. */
const maxDepth = 100;

type Container = { keys: Set<string> | undefined; memberStart: number; member: string | undefined };

/**
 * The text of one member of a JSON object, exactly as it stands in `text`, or `undefined` when there is none.
 * A signature over "the bytes as received" can only be checked over this slice: parsing and writing again would
 * change escapes and numbers.
 *
 * @throws {SyntaxError} when `text` is not JSON, is not an object, or holds a key twice at any depth. A parser
 *   keeps the last of two equal keys, so that what was signed and what is read could differ.
 */
export function sliceJsonMember(text: string, name: string): string | undefined {
  parseObject(text);
  return scan(text, { name, depth: Number.POSITIVE_INFINITY });
}

/**
 * Parses the text of a JSON object that can be read in one way only, and that any code can walk over.
 *
 * @throws {SyntaxError} as `sliceJsonMember`, and for an object that nests deeper than 100 levels; it may quote the text
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

/** The grammar is known to hold, so that only strings and brackets need to be told apart. */
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
    throw new SyntaxError(`The key ${JSON.stringify(key)} stands twice in one object.`);
  container.keys?.add(key);
  container.member = key;
}

/** The index after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index + 1;
}
