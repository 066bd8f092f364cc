import type * as v from 'valibot';
import { createDialect } from '../../server-kit/service/dialect.ts';
import { endpoints } from '../../server-kit/service/endpoints.ts';
import type { DocumentedEndpoint as Endpoint } from '../../server-kit/service/fields.ts';
import { parameterName } from '../../server-kit/service/list-query.ts';
import { fieldTable, typeOf } from './json-schema-table.ts';
import { inline, type JsonSchema, nameOf, type SchemaName, schemas } from './json-schemas.ts';
import { anchorOf, code, tableOf } from './markdown.ts';

type ServiceRecord = { title: string; schema: SchemaName };

/** The records of the service, by their section of the interface. */
const records: Readonly<Record<string, ServiceRecord>> = {
  '2.1': { title: 'Amount', schema: 'RequestAmount' },
  '2.2': { title: 'Customer', schema: 'Customer' },
  '2.3': { title: 'Initiated payment', schema: 'PaymentInitiation' },
  '2.4': { title: 'Checkout link', schema: 'CheckoutLink' },
  '2.5': { title: 'Payment', schema: 'Payment' },
  '2.6': { title: 'Invoice', schema: 'Invoice' },
  '2.7': { title: 'Payout', schema: 'Payout' },
  '2.8': { title: 'Dedicated account', schema: 'DedicatedAccount' },
  '2.9': { title: 'Tax rate', schema: 'TaxRate' },
  '2.10': { title: 'App', schema: 'App' },
};

/** The fields of each record, as the client reads them. */
export const recordSections = (): string =>
  Object.entries(records)
    .map(([section, record]) => `### ${section} ${record.title}\n\n${fieldTable(schemas[record.schema])}`)
    .join('\n\n');

/** Each endpoint with what it takes. */
export const endpointSections = (): string =>
  Object.values<Endpoint>(endpoints).map(endpointSection).join('\n\n');

const headingOf = ({ section, method, path }: Endpoint): string => `${section} ${code(`${method} ${path}`)}`;

/** A link to an endpoint's section, for another page. */
export function linkToSection(endpoint: Endpoint): string {
  return `[${endpoint.section}](service-interface.md#${anchorOf(headingOf(endpoint))})`;
}

function endpointSection(endpoint: Endpoint): string {
  const { summary, request } = endpoint;
  const { query } = endpoint as { query?: v.GenericSchema };
  const filters = query === undefined ? [] : filtersOf(inline(query));
  const takes = [
    ...(filters.length > 0 ? [tableOf(['parameter', 'type'], filters)] : []),
    ...(request ? [fieldTable(schemas[nameOf(request)])] : []),
  ];
  return [`### ${headingOf(endpoint)}`, `${summary}. Response: ${responseOf(endpoint)}.`, ...takes].join(
    '\n\n',
  );
}

/** The filters of a list, with dotted paths for those of nested objects, by their names in the dialect. */
function filtersOf({ properties = {} }: JsonSchema, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema !== 'object') return [];
    if (schema.properties !== undefined) return filtersOf(schema, `${prefix}${name}.`);
    const list = schema.anyOf?.find((one) => typeof one === 'object' && one.type === 'array');
    const parameter = parameterName(prefix + name, createDialect().listParameters);
    return [[code(parameter), typeOf(typeof list === 'object' ? list : schema)]];
  });
}

/** Names the response's record by its section, or else its fields. */
function responseOf(endpoint: Endpoint): string {
  const name = nameOf(endpoint.response);
  const section = Object.keys(records).find((one) => records[one]?.schema === name);
  if (section !== undefined)
    return `${'query' in endpoint ? 'a list (section 2.11) of ' : ''}section ${section}`;
  return Object.keys(schemas[name].properties ?? {})
    .map(code)
    .join(', ');
}
