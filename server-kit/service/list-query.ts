import type { ListParameters } from './dialect.ts';

/** The path of each filter in our queries, and its name in `dialect.listParameters`. */
const filters = [
  { path: ['limit'], parameter: 'limit', isNumber: true },
  { path: ['cursor'], parameter: 'cursor', isNumber: false },
  { path: ['status'], parameter: 'status', isNumber: false },
  { path: ['taxType'], parameter: 'taxType', isNumber: false },
  { path: ['createdAt', 'gte'], parameter: 'createdAtGte', isNumber: true },
  { path: ['createdAt', 'lte'], parameter: 'createdAtLte', isNumber: true },
  { path: ['createdAt', 'gt'], parameter: 'createdAtGt', isNumber: true },
  { path: ['createdAt', 'lt'], parameter: 'createdAtLt', isNumber: true },
] as const satisfies readonly {
  path: readonly string[];
  parameter: keyof ListParameters;
  isNumber: boolean;
}[];

export type Nested = { [name: string]: unknown };

/** Returns the query string of the given filters; an array becomes a repeated parameter. */
export function toSearchParams(query: Nested, names: ListParameters): URLSearchParams {
  const search = new URLSearchParams();
  for (const { path, parameter } of filters) {
    const [head, tail] = path;
    const value = tail === undefined ? query[head] : (query[head] as Nested | undefined)?.[tail];
    for (const item of [value].flat()) if (item !== undefined) search.append(names[parameter], String(item));
  }
  return search;
}

/**
 * Reads the filters of a query string, for a schema to check: digits become numbers, repeated parameters become arrays.
 * Unknown parameters keep their names, so that the schema refuses them.
 */
export function fromSearchParams(search: URLSearchParams, names: ListParameters): Nested {
  const query: Nested = Object.create(null);
  for (const name of new Set(search.keys())) {
    const filter = filters.find(({ parameter }) => names[parameter] === name);
    const texts = search.getAll(name);
    const values = filter?.isNumber === true ? texts.map(toNumber) : texts;
    const value = values.length > 1 ? values : values[0];
    const [head, tail] = filter?.path ?? [name];
    query[head] = tail === undefined ? value : { ...(query[head] as Nested | undefined), [tail]: value };
  }
  return query;
}

export function parameterName(path: string, names: ListParameters): string {
  const filter = filters.find((one) => one.path.join('.') === path);
  return filter === undefined ? path : names[filter.parameter];
}

/** Digits only, because `Number` also accepts "", " 1 ", "0x10" and "1e2". */
const toNumber = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text);
