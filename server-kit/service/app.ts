import * as v from 'valibot';
import type { CallOptions } from '../core/call.ts';
import type { PaymentsClient } from '../core/client.ts';
import { NonEmptyText, oneOf } from '../core/fields.ts';
import { type DocumentedEndpoint, lenientFields } from './fields.ts';

/** The interface itself misspells `andriod`. */
const optionalFields = {
  bankingType: v.optional(oneOf(['personal', 'business', 'all'])),
  iosTeamId: v.optional(v.string()),
  iosBundleId: v.optional(v.string()),
  andriodPackageName: v.optional(v.string()),
  andriodCertFingerprints: v.optional(v.string()),
};

/** Interface, section 4.13: the body of POST /v1/apps. */
export const AppRegistration = v.strictObject({
  name: NonEmptyText,
  icon: NonEmptyText,
  base64Icon: NonEmptyText,
  scheme: NonEmptyText,
  ...optionalFields,
});
export type AppRegistration = v.InferInput<typeof AppRegistration>;

/** Interface, section 4.14: the body of PUT /v1/apps/{id}, with only the fields to change. */
export const AppUpdate = v.partial(AppRegistration);
export type AppUpdate = v.InferInput<typeof AppUpdate>;

/** Interface, section 2.10: every field but the id. */
export const appFields = {
  name: v.string(),
  icon: v.string(),
  base64Icon: v.string(),
  scheme: v.string(),
  bankingType: oneOf(['personal', 'business', 'all']),
  iosTeamId: v.string(),
  iosBundleId: v.string(),
  andriodPackageName: v.string(),
  andriodCertFingerprints: v.string(),
  publicKey: v.string(),
  liveMode: v.boolean(),
  // The interface gives no format for the times of apps.
  createdAt: v.string(),
  updatedAt: v.string(),
};

/** Interface, section 2.10: an app. */
export const App = v.looseObject({ id: NonEmptyText, ...lenientFields(appFields) });
export type App = v.InferOutput<typeof App>;

/** Room for the base64 icon. */
const app = { auth: 'bearer', response: App, maxResponseBytes: 1_000_000 } as const;

export const appEndpoints = {
  'apps.register': {
    operation: 'apps.register',
    section: '4.13',
    summary: 'Registers an app',
    method: 'POST',
    path: '/v1/apps',
    request: AppRegistration,
    ...app,
  },
  'apps.update': {
    operation: 'apps.update',
    section: '4.14',
    summary: 'Changes an app',
    method: 'PUT',
    path: '/v1/apps/{id}',
    request: AppUpdate,
    ...app,
  },
} as const satisfies Record<string, DocumentedEndpoint>;

/**
 * 4.13: registers an app. Never retried, because that could register a second one.
 *
 * @throws {PaymentsError} `invalid_options` for a client without `authToken`
 */
export const registerApp = (client: PaymentsClient, body: AppRegistration, of?: CallOptions): Promise<App> =>
  client.call(appEndpoints['apps.register'], { body }, of);

/**
 * 4.14: changes the given fields. Retried after a transient failure.
 *
 * @throws {PaymentsError} `invalid_options` for a client without `authToken`
 */
export const updateApp = (
  client: PaymentsClient,
  id: string,
  body: AppUpdate,
  of?: CallOptions,
): Promise<App> => client.call(appEndpoints['apps.update'], { path: { id }, body }, of);
