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
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new SyntaxError('The JSON text is not an object.');
  }
  // From here on the grammar is known to hold, so that only strings and brackets need to be told apart.
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
