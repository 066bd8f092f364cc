import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { App, AppRegistration, AppUpdate } from '../../api/app.ts';
import { CheckoutLink, CheckoutLinkRequest } from '../../api/checkout-link.ts';
import {
  DedicatedAccount,
  DedicatedAccountPage,
  DedicatedAccountRequest,
  DedicatedAccountRequestResult,
} from '../../api/dedicated-account.ts';
import { Amount, Metadata, RequestAmount, RequestCustomer, Timestamp, WebUrl } from '../../api/fields.ts';
import { Invoice, InvoiceCancelRequest } from '../../api/invoice.ts';
import { Payment, PaymentInitiation, PaymentInitiationRequest } from '../../api/payment.ts';
import { Payout, PayoutPage } from '../../api/payout.ts';
import { TaxRate, TaxRatePage } from '../../api/tax-rate.ts';
import { ErrorEnvelope } from '../../errors/error-envelope.ts';

export type { JsonSchema };

/** The schemas that have a name of their own in the document. */
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

/** How the parts of our schemas that JSON Schema has no words for are written. */
const config = {
  target: 'draft-2020-12',
  // What is sent: what our schemas make of it is our own affair.
  typeMode: 'input',
  overrideSchema: ({ valibotSchema }) => {
    if (valibotSchema.type !== 'custom') return undefined;
    return (valibotSchema as unknown) === Metadata ? { type: 'object' } : { type: 'string', minLength: 1 };
  },
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction.type === 'examples') return describeWords(jsonSchema);
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

const describeWords = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  description: `Known words: ${(schema.examples as string[]).join(', ')}. Others may come.`,
});

/** Our checks say in words what they ask for: "must be an absolute http(s) URL". */
const messageOf = (action: unknown): string => String((action as { message: unknown }).message);

const refTo = (name: string): string => `#/components/schemas/${name}`;

/** The components, made anew, so that the caller may add to them. */
export const createSchemas = (): Schemas => toJsonSchemaDefs(named, config) as Schemas;

/** A reference to a schema that has a name. */
export function referTo(schema: v.GenericSchema): JsonSchema {
  const found = Object.entries(named).find(([, one]) => (one as v.GenericSchema) === schema);
  if (found === undefined)
    throw new TypeError('A schema of the table of endpoints has no name here; add it.');
  return { $ref: refTo(found[0]) };
}

/** A schema that has none. */
export function inline(schema: v.GenericSchema): JsonSchema {
  const { $schema: _uri, ...found } = toJsonSchema(schema, config);
  return found;
}

/** The schema that a reference leads to, or the schema itself; of one that may be null, the one that it is otherwise. */
export function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = schema.$ref?.replace(refTo(''), '');
  if (name !== undefined) return schemas[name as SchemaName];
  const [other] = schema.anyOf ?? [];
  return typeof other === 'object' ? resolve(other, schemas) : schema;
}
