import * as v from 'valibot';
import { exactObject, lenientFields, NonEmptyText, oneOf } from './fields.ts';

/** The interface itself misspells `andriod`. */
const optionalFields = {
  bankingType: v.optional(oneOf(['personal', 'business', 'all'])),
  iosTeamId: v.optional(v.string()),
  iosBundleId: v.optional(v.string()),
  andriodPackageName: v.optional(v.string()),
  andriodCertFingerprints: v.optional(v.string()),
};

/** Interface, section 4.13: the body of POST /v1/apps. */
export const AppRegistration = exactObject({
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
