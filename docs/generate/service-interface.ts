import { type Endpoint, endpoints } from '../../server-kit/client/api/endpoints.ts';
import { defaultDialect } from '../../server-kit/index.ts';
import { describeAmounts } from '../../server-kit/tools/sandbox/open-api/amounts.ts';
import { createPaths } from '../../server-kit/tools/sandbox/open-api/paths.ts';
import {
  createSchemas,
  type JsonSchema,
  referTo,
  resolve,
  type Schemas,
} from '../../server-kit/tools/sandbox/open-api/schemas.ts';
import { fieldTable, typeOf } from './json-schema-table.ts';
import { anchorOf, code, tableOf } from './markdown.ts';

type ServiceRecord = { title: string; schema: keyof Schemas; member?: string };

/** The records of the service, by their section of the interface. */
const records: Readonly<Record<string, ServiceRecord>> = {
  '2.1': { title: 'Amount', schema: 'RequestAmount' },
  '2.2': { title: 'Customer', schema: 'PaymentInitiation', member: 'customer' },
  '2.3': { title: 'Initiated payment', schema: 'PaymentInitiation' },
  '2.4': { title: 'Checkout link', schema: 'CheckoutLink' },
  '2.5': { title: 'Payment', schema: 'Payment' },
  '2.6': { title: 'Invoice', schema: 'Invoice' },
  '2.7': { title: 'Payout', schema: 'Payout' },
  '2.8': { title: 'Dedicated account', schema: 'DedicatedAccount' },
  '2.9': { title: 'Tax rate', schema: 'TaxRate' },
  '2.10': { title: 'App', schema: 'App' },
};

const schemas = createSchemas();
describeAmounts(schemas, defaultDialect.amountUnit);

/** The fields of each record, as the client reads them. */
export const recordSections = (): string =>
  Object.entries(records)
    .map(([section, record]) => `### ${section} ${record.title}\n\n${fieldTable(schemaOf(record), schemas)}`)
    .join('\n\n');

function schemaOf({ schema, member }: ServiceRecord): JsonSchema {
  const whole = schemas[schema];
  const part = member === undefined ? whole : whole.properties?.[member];
  return typeof part === 'object' ? resolve(part, schemas) : whole;
}

/** Each endpoint with what it takes. */
export const endpointSections = (): string =>
  Object.values<Endpoint>(endpoints).map(endpointSection).join('\n\n');

const headingOf = ({ section, method, path }: Endpoint): string => `${section} ${code(`${method} ${path}`)}`;

/** A link to an endpoint's section, for another page. */
export function linkToSection(endpoint: Endpoint): string {
  return `[${endpoint.section}](service-interface.md#${anchorOf(headingOf(endpoint))})`;
}

type Operation = {
  parameters: readonly { name: string; in: string; schema: JsonSchema }[];
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
};

const paths = createPaths(defaultDialect);

const operationOf = ({ method, path }: Endpoint): Operation =>
  ({ ...paths[path] })[method.toLowerCase()] as Operation;

function endpointSection(endpoint: Endpoint): string {
  const { summary } = endpoint;
  const { parameters, requestBody } = operationOf(endpoint);
  const filters = parameters.filter((parameter) => parameter.in === 'query');
  const request = requestBody && resolve(requestBody.content['application/json'].schema, schemas);
  const takes = [
    ...(filters.length > 0
      ? [
          tableOf(
            ['parameter', 'type'],
            filters.map(({ name, schema }) => [code(name), typeOf(schema)]),
          ),
        ]
      : []),
    ...(request ? [fieldTable(request, schemas)] : []),
  ];
  return [`### ${headingOf(endpoint)}`, `${summary}. Response: ${responseOf(endpoint)}.`, ...takes].join(
    '\n\n',
  );
}

/** Names the response's record by its section, or else its fields. */
function responseOf({ response }: Endpoint): string {
  const name = referTo(response).$ref?.split('/').at(-1) as keyof Schemas;
  const sectionOf = (schema: string): string | undefined =>
    Object.keys(records).find((section) => {
      const record = records[section];
      return record?.schema === schema && record.member === undefined;
    });
  const [single, listed] = [sectionOf(name), sectionOf(name.replace(/Page$/, ''))];
  if (single !== undefined) return `section ${single}`;
  if (listed !== undefined) return `a list (section 2.11) of section ${listed}`;
  return Object.keys(schemas[name].properties ?? {})
    .map(code)
    .join(', ');
}
