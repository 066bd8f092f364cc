import type { Dialect } from './dialect.ts';

type ListParameters = Dialect['listParameters'];

/** Our name of a filter, as a path, and the dialect's name for the service's. */
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

type Nested = { [name: string]: unknown };

/** The query string for the filters of a list that are given; an array becomes a repeated parameter. */
export function toSearchParams(query: Nested, names: Readonly<ListParameters>): URLSearchParams {
  const search = new URLSearchParams();
  for (const { path, parameter } of filters) {
    const [head, tail] = path;
    const value = tail === undefined ? query[head] : (query[head] as Nested | undefined)?.[tail];
    for (const item of [value].flat()) if (item !== undefined) search.append(names[parameter], String(item));
  }
  return search;
}

/**
 * The filters of a query string, for a schema to check: whole numbers are numbers, a parameter that stands twice is an
 * array. A parameter that is no filter keeps its name, so that the schema refuses it.
 */
export function fromSearchParams(search: URLSearchParams, names: Readonly<ListParameters>): Nested {
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

/** The name of the parameter that a schema found at fault, as the service spells it. */
export function parameterName(path: string, names: Readonly<ListParameters>): string {
  const filter = filters.find((one) => one.path.join('.') === path);
  return filter === undefined ? path : names[filter.parameter];
}

/** Digits only: `Number` would also take "", " 1 ", "0x10" and "1e2". */
const toNumber = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text);
