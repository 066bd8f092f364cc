import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { App, AppRegistration, AppUpdate } from '../../../client/api/app.ts';
import { CheckoutLink, CheckoutLinkRequest } from '../../../client/api/checkout-link.ts';
import {
  DedicatedAccount,
  DedicatedAccountPage,
  DedicatedAccountRequest,
  DedicatedAccountRequestResult,
} from '../../../client/api/dedicated-account.ts';
import {
  Amount,
  Metadata,
  RequestAmount,
  RequestCustomer,
  Timestamp,
  WebUrl,
} from '../../../client/api/fields.ts';
import { Invoice, InvoiceCancelRequest } from '../../../client/api/invoice.ts';
import { Payment, PaymentInitiation, PaymentInitiationRequest } from '../../../client/api/payment.ts';
import { Payout, PayoutPage } from '../../../client/api/payout.ts';
import { TaxRate, TaxRatePage } from '../../../client/api/tax-rate.ts';
import { ErrorEnvelope } from '../../../client/errors/error-envelope.ts';

export type { JsonSchema };

/** Schemas with a name in the document. */
const named = {
  Amount,
  RequestAmount,
  RequestCustomer,
  PaymentInitiationRequest,
  PaymentInitiation,
  Payment,
  CheckoutLinkRequest,
  CheckoutLink,
  DedicatedAccountRequest,
  DedicatedAccountRequestResult,
  DedicatedAccount,
  DedicatedAccountPage,
  InvoiceCancelRequest,
  Invoice,
  Payout,
  PayoutPage,
  TaxRate,
  TaxRatePage,
  AppRegistration,
  AppUpdate,
  App,
  ErrorEnvelope,
} satisfies Record<string, v.GenericSchema>;
type SchemaName = keyof typeof named;
export type Schemas = Record<SchemaName, JsonSchema>;

/** Describes the parts of our schemas that JSON Schema cannot express. */
const config = {
  target: 'draft-2020-12',
  // The wire format; the parsed output is internal.
  typeMode: 'input',
  overrideSchema: ({ valibotSchema }) => {
    if (valibotSchema.type !== 'custom') return undefined;
    return (valibotSchema as unknown) === Metadata ? { type: 'object' } : { type: 'string', minLength: 1 };
  },
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction.type === 'examples') return describeKnownValues(jsonSchema);
    if (valibotAction.type === 'finite') return jsonSchema;
    if (valibotAction.type !== 'check') return undefined;
    const format = formats.find(({ action }) => action === (valibotAction as unknown))?.format;
    return { ...jsonSchema, ...(format !== undefined && { format }), description: messageOf(valibotAction) };
  },
  overrideRef: ({ referenceId }) => refTo(referenceId),
} satisfies ConversionConfig;

const formats: readonly { action: unknown; format: string }[] = [
  { action: WebUrl.pipe[1], format: 'uri' },
  { action: Timestamp.pipe[1], format: 'date-time' },
];

const describeKnownValues = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  description: `Known values: ${(schema.examples as string[]).join(', ')}. New values may follow.`,
});

/** Returns the message of a check, such as "must be an absolute http(s) URL". */
const messageOf = (action: unknown): string => String((action as { message: unknown }).message);

const refTo = (name: string): string => `#/components/schemas/${name}`;

/** Creates a new copy of the components, which the caller may change. */
export const createSchemas = (): Schemas => toJsonSchemaDefs(named, config) as Schemas;

/** Returns a reference to a named schema. */
export function referTo(schema: v.GenericSchema): JsonSchema {
  const found = Object.entries(named).find(([, one]) => (one as v.GenericSchema) === schema);
  if (found === undefined)
    throw new TypeError('A schema of the table of endpoints has no name; add it here.');
  return { $ref: refTo(found[0]) };
}

/** Converts a schema without a name. */
export function inline(schema: v.GenericSchema): JsonSchema {
  const { $schema: _uri, ...found } = toJsonSchema(schema, config);
  return found;
}

/** Resolves a reference, and a nullable schema to its non-null one. */
export function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = schema.$ref?.replace(refTo(''), '');
  if (name !== undefined) return schemas[name as SchemaName];
  const [other] = schema.anyOf ?? [];
  return typeof other === 'object' ? resolve(other, schemas) : schema;
}
