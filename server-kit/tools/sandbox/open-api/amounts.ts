import type { Dialect } from '../../../client/api/dialect.ts';
import { type Endpoint, endpoints } from '../../../client/api/endpoints.ts';
import { type JsonSchema, referTo, resolve, type Schemas } from './schemas.ts';

type Unit = Dialect['amountUnit'];

const descriptions: Readonly<Record<Unit, string>> = {
  minor: 'In the smallest unit of the currency: NGN 100.00 is 10000.',
  major: 'In the unit of the currency, with at most two decimals: NGN 100.00 is 100.',
};

/** Adds the unit to every field that the table of endpoints lists as an amount. */
export function describeAmounts(schemas: Schemas, unit: Unit): void {
  for (const { request, response, amounts } of Object.values<Endpoint>(endpoints)) {
    for (const field of amounts.request) if (request) describeField(referTo(request), field, unit, schemas);
    for (const field of amounts.response) describeField(referTo(response), field, unit, schemas);
  }
}

/** @param field as `convertAmounts` takes it: `amount.value`, `data.fee?` */
function describeField(schema: JsonSchema, field: string, unit: Unit, schemas: Schemas): void {
  const [head = '', ...rest] = field.split('.');
  const container = resolve(schema, schemas);
  const fields = resolve((container.items as JsonSchema | undefined) ?? container, schemas);
  const name = head.replace(/\?$/, '');
  const found = fields.properties?.[name];
  if (typeof found !== 'object') throw new TypeError(`The schema has no field ${name} for an amount.`);
  if (rest.length > 0) return describeField(found, rest.join('.'), unit, schemas);
  const amount = resolve(found, schemas);
  // The bounds in our schemas are for minor units.
  if (unit === 'major') Object.assign(amount, inMajorUnits(amount));
  amount.description = descriptions[unit];
}

function inMajorUnits(amount: JsonSchema): JsonSchema {
  if (amount.minimum === undefined) return { type: 'number' };
  delete amount.minimum;
  delete amount.maximum;
  return { type: 'number', exclusiveMinimum: 0 };
}
