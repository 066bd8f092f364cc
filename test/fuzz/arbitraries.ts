import fc from 'fast-check';

/** Texts that parsers, formatters, paths and markup have failed on elsewhere. */
const awkwardTexts = [
  ...['', ' ', '\0', '\r\n', '\u202e', '\u200b', '\ufeff', '\ud800', '\udfff', '٣', '１', '½', '𝟘'],
  ...'__proto__ constructor toString valueOf then length null undefined NaN Infinity -0 0x10 1e999'.split(
    ' ',
  ),
  ...'. .. / // \\ ../.. % %00 %2e%2e %E0%A4%A ? # * @ : [::1] \' " { } [] {amount} {{x}}'.split(' '),
  ...'javascript:alert(1) data:text/html,x //evil.example \\\\evil.example http://u:p@evil.example'.split(
    ' ',
  ),
  '<img src=x onerror=alert(1)>',
  ...['a'.repeat(10_000), ' '.repeat(2000), '['.repeat(2000), '~'.repeat(500), ';,='.repeat(300)],
];

/** Any text: awkward ones, and those of all characters, halves of characters included. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...awkwardTexts),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
);

const awkwardNumbers = [0, -0, -1, 0.5, 1e21, 2 ** 31, 2 ** 53, Number.NaN, Infinity, -Infinity];

/** Any number: awkward ones, whole ones and fractions. */
const anyNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(...awkwardNumbers),
  fc.integer(),
  fc.double(),
);

/** Any value that JSON can carry. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  anyText,
  fc.constantFrom(null, true, false, [], {}),
  anyNumber.filter(Number.isFinite),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
);

/** Any value that a script can pass. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  anyJson,
  anyNumber,
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
  fc.constantFrom<unknown>(undefined, Symbol('any'), () => 'any', new Proxy({}, {})),
);

type Change = { at: number; action: 'put' | 'remove' | 'add' | 'insert'; value: unknown; name: string };

const anyChange: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  action: fc.constantFrom('put', 'insert', 'remove', 'add'),
  value: fc.oneof(anyJson, fc.constantFrom(...awkwardTexts)),
  name: anyText,
});

/** JSON values that are valid but for up to three changes at any depth. */
export const damaged = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(valid, fc.array(anyChange, { maxLength: 3 }))
    .map(([value, changes]) => changes.reduce<unknown>(applyChange, structuredClone(value)));

/** As JSON.parse does it: an assignment to `__proto__` would set the prototype. */
const define = (holder: object, key: string, value: unknown): void =>
  void Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });

const insertInto = (value: unknown, text: string, at: number): unknown => {
  if (typeof value === 'number') return value + 0.5;
  if (typeof value !== 'string') return text;
  const start = at % (value.length + 1);
  return value.slice(0, start) + text + value.slice(start);
};

type Place = { holder: Record<string, unknown>; key: string };

function applyChange(value: unknown, { at, action, value: put, name }: Change): unknown {
  const places = placesIn(value);
  const place = places[at % (places.length + 1)];
  if (place === undefined) return action === 'remove' ? null : put;
  const { holder, key } = place;
  if (action === 'remove') delete holder[key];
  else if (action === 'insert') define(holder, key, insertInto(holder[key], name, at));
  else define(holder, action === 'add' && !Array.isArray(holder) ? name : key, put);
  return value;
}

const placesIn = (value: unknown): Place[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [
        { holder: value as Record<string, unknown>, key },
        ...placesIn(inner),
      ]);

type Edit = { at: number; length: number; text: string };

const anyEdit: fc.Arbitrary<Edit> = fc.record({ at: fc.nat(), length: fc.nat(6), text: anyText });

/** Texts that are valid but for up to three pieces that are cut out, replaced or put in. */
export const damagedText = (valid: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(valid, fc.array(anyEdit, { maxLength: 3 })).map(([whole, edits]) =>
    edits.reduce((text, { at, length, text: put }) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + put + text.slice(start + length);
    }, whole),
  );
