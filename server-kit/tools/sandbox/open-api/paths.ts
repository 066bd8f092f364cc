import type { Dialect } from '../../../client/api/dialect.ts';
import { type Endpoint, endpoints, type Operation } from '../../../client/api/endpoints.ts';
import { parameterName } from '../../../client/api/list-query.ts';
import { exampleRequest } from './examples.ts';
import { refusalsOf } from './refusals.ts';
import { inline, type JsonSchema, referTo } from './schemas.ts';

type Parameter = {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: JsonSchema;
  explode?: boolean;
};

/** Interface, section 5: both headers and an optional API key; for apps the token. */
const security: Readonly<Record<Endpoint['auth'], readonly object[]>> = {
  signature: [
    { RequestSignature: [], RequestTimestamp: [] },
    { RequestSignature: [], RequestTimestamp: [], ApiKey: [] },
  ],
  bearer: [{ AuthToken: [] }],
};

/** Describes each operation. Its tag is the first part of its name. */
export const createPaths = (dialect: Readonly<Dialect>): Record<string, Record<string, object>> => {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, endpoint] of Object.entries(endpoints) as [Operation, Endpoint][]) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: toOperation(name, endpoint, dialect),
    };
  }
  return paths;
};

function toOperation(name: Operation, endpoint: Endpoint, dialect: Readonly<Dialect>): object {
  const { summary, section, auth, request, isBodyOptional = false, response, successStatus } = endpoint;
  const body = request && {
    required: !isBodyOptional,
    content: {
      'application/json': { schema: referTo(request), example: exampleRequest(name, dialect.amountUnit) },
    },
  };
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary,
    description: `Interface, section ${section}.`,
    security: security[auth],
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint, dialect)],
    ...(body && { requestBody: body }),
    responses: {
      [successStatus]: {
        description: 'Done.',
        content: { 'application/json': { schema: referTo(response) } },
      },
      ...refusalsOf(endpoint),
    },
  };
}

const pathParameters = ({ path }: Endpoint): Parameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }));

/** Describes the filters of a list by their names in the dialect. */
function queryParameters({ query }: Endpoint, { listParameters }: Readonly<Dialect>): Parameter[] {
  return flatten(query === undefined ? {} : inline(query)).map(([path, schema]) => ({
    name: parameterName(path, listParameters),
    in: 'query',
    required: false,
    ...asParameter(schema),
  }));
}

/** Returns all fields, with dotted paths for those of nested objects. */
function flatten({ properties = {} }: JsonSchema, prefix = ''): [string, JsonSchema][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema !== 'object') return [];
    return schema.properties === undefined ? [[prefix + name, schema]] : flatten(schema, `${prefix}${name}.`);
  });
}

/** Describes a filter with one or several values as a parameter that may be repeated. */
function asParameter(schema: JsonSchema): Pick<Parameter, 'schema' | 'explode'> {
  const list = schema.anyOf?.find((one) => typeof one === 'object' && one.type === 'array');
  return typeof list === 'object' ? { schema: list, explode: true } : { schema };
}
