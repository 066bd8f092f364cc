import { type JsonSchema, resolve } from './json-schemas.ts';
import { code, tableOf } from './markdown.ts';

/** The table of an object's fields, those of nested objects below them as `customer.name`. */
export function fieldTable(schema: JsonSchema): string {
  const rows = variantsOf(schema).flatMap((variant) => rowsOf(variant));
  const distinct = new Map(rows.map((row) => [row.join(), row]));
  return tableOf(['field', 'type', 'required'], [...distinct.values()]);
}

const variantsOf = (schema: JsonSchema): JsonSchema[] =>
  schema.oneOf === undefined ? [schema] : schema.oneOf.filter((one) => typeof one === 'object');

function rowsOf({ properties = {}, required = [] }: JsonSchema, path = ''): string[][] {
  return Object.entries(properties).flatMap(([name, property]) => {
    if (typeof property !== 'object') return [];
    const schema = resolve(property);
    const row = [code(path + name), typeOf(schema), required.includes(name) ? 'yes' : ''];
    const items = itemsOf(schema);
    if (items?.properties !== undefined) return [row, ...rowsOf(items, `${path}${name}[].`)];
    return [row, ...rowsOf(schema, `${path}${name}.`)];
  });
}

const itemsOf = ({ items }: JsonSchema): JsonSchema | undefined =>
  typeof items === 'object' && !Array.isArray(items) ? items : undefined;

/** More choices than this are described, not listed. */
const mostListed = 20;

/** A type in words: its values if they are few, otherwise its format and bounds. */
export function typeOf(schema: JsonSchema): string {
  const { type, format, pattern, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  const values = (schema.enum ?? schema.examples ?? [schema.const]) as (string | undefined)[];
  if (values.length > mostListed) return 'country: ISO 3166-1 alpha-2';
  if (values[0] !== undefined) return values.map((value) => code(`${value}`)).join(', ');
  const items = itemsOf(schema);
  if (items !== undefined) {
    const most = schema.maxItems === undefined ? '' : `${schema.minItems ?? 0} to ${schema.maxItems} `;
    return `list of ${most}${items.properties === undefined ? typeOf(items) : 'objects'}`;
  }
  if (schema.description === 'amount') return 'amount';
  if (pattern !== undefined) return code(pattern);
  if (format !== undefined) return format;
  return maximum < Number.MAX_SAFE_INTEGER ? `${type}, ${minimum} to ${maximum}` : `${type}`;
}
