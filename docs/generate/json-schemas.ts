import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema';
import type * as v from 'valibot';
import {
  CheckoutLink,
  CheckoutLinkRequest,
  type Endpoint,
  Payment,
  PaymentInitiation,
  PaymentInitiationRequest,
} from '../../server-kit/core/endpoints.ts';
import { Metadata, RequestAmount, Timestamp, WebUrl } from '../../server-kit/core/fields.ts';
import { App, AppRegistration, AppUpdate } from '../../server-kit/service/app.ts';
import {
  DedicatedAccount,
  DedicatedAccountRequest,
  DedicatedAccountRequestResult,
} from '../../server-kit/service/dedicated-account.ts';
import { endpoints } from '../../server-kit/service/endpoints.ts';
import { Customer } from '../../server-kit/service/fields.ts';
import { Invoice, InvoiceCancelRequest } from '../../server-kit/service/invoice.ts';
import { Payout } from '../../server-kit/service/payout.ts';
import { TaxRate } from '../../server-kit/service/tax-rate.ts';

export type { JsonSchema };

const named = {
  Customer,
  RequestAmount,
  PaymentInitiationRequest,
  PaymentInitiation,
  Payment,
  CheckoutLinkRequest,
  CheckoutLink,
  DedicatedAccountRequest,
  DedicatedAccountRequestResult,
  DedicatedAccount,
  InvoiceCancelRequest,
  Invoice,
  Payout,
  TaxRate,
  AppRegistration,
  AppUpdate,
  App,
} satisfies Record<string, v.GenericSchema>;
export type SchemaName = keyof typeof named;
export type Schemas = Record<SchemaName, JsonSchema>;

const formats: readonly { action: unknown; format: string }[] = [
  { action: WebUrl.pipe[1], format: 'uri' },
  { action: Timestamp.pipe[1], format: 'date-time' },
];

/** Describes the parts of our schemas that JSON Schema cannot express. */
const config = {
  typeMode: 'input',
  overrideSchema: ({ valibotSchema }) => {
    if (valibotSchema.type !== 'custom') return undefined;
    return (valibotSchema as unknown) === Metadata ? { type: 'object' } : { type: 'string' };
  },
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (['examples', 'finite'].includes(valibotAction.type)) return jsonSchema;
    if (valibotAction.type !== 'check') return undefined;
    const format = formats.find(({ action }) => action === (valibotAction as unknown))?.format;
    return { ...jsonSchema, ...(format !== undefined && { format }) };
  },
  overrideRef: ({ referenceId }) => refTo(referenceId),
} satisfies ConversionConfig;

const refTo = (name: string): string => `#/${name}`;

/** The schemas of all requests and responses, with their amounts marked. */
export const schemas = toJsonSchemaDefs(named, config) as Schemas;

/** Returns the name of a schema in the table of endpoints. */
export function nameOf(schema: v.GenericSchema): SchemaName {
  // Of an optional body, the schema of the body.
  const { wrapped = schema } = schema as { wrapped?: v.GenericSchema };
  const found = Object.entries(named).find(([, one]) => (one as v.GenericSchema) === wrapped);
  if (found === undefined)
    throw new TypeError('A schema of the table of endpoints has no name; add it here.');
  return found[0] as SchemaName;
}

export const inline = (schema: v.GenericSchema): JsonSchema => toJsonSchema(schema, config);

/** Resolves a reference, and a nullable schema to its non-null one. */
export function resolve(schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) return schemas[schema.$ref.replace(refTo(''), '') as SchemaName];
  const [other] = schema.anyOf ?? [];
  return typeof other === 'object' ? resolve(other) : schema;
}

/** Marks every field that the table of endpoints lists as an amount. */
for (const { request, response, amounts } of Object.values<Endpoint>(endpoints)) {
  for (const field of amounts?.request ?? []) if (request) markAmount(schemas[nameOf(request)], field);
  for (const field of amounts?.response ?? []) markAmount(schemas[nameOf(response)], field);
}

/** @param field with dots for nested ones: `amount.value` */
function markAmount(schema: JsonSchema, field: string): void {
  const [head = '', ...rest] = field.split('.');
  const container = resolve(schema);
  const { properties } = resolve((container.items as JsonSchema | undefined) ?? container);
  const found = properties?.[head];
  if (typeof found !== 'object') throw new TypeError(`The schema has no field ${head} for an amount.`);
  if (rest.length > 0) markAmount(found, rest.join('.'));
  else resolve(found).description = 'amount';
}
