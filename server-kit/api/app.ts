import * as v from 'valibot';
import { exactObject, lenientFields, NonEmptyText, oneOf } from './fields.ts';

/** The fields that register and update take; `andriod` is how the interface spells it. */
const optionalFields = {
  bankingType: v.optional(oneOf(['personal', 'business', 'all'])),
  iosTeamId: v.optional(v.string()),
  iosBundleId: v.optional(v.string()),
  andriodPackageName: v.optional(v.string()),
  andriodCertFingerprints: v.optional(v.string()),
};

/** 4.13, the body of POST /v1/apps. */
export const AppRegistration = exactObject({
  name: NonEmptyText,
  icon: NonEmptyText,
  base64Icon: NonEmptyText,
  scheme: NonEmptyText,
  ...optionalFields,
});
export type AppRegistration = v.InferInput<typeof AppRegistration>;

/** 4.14, the body of PUT /v1/apps/{id}: some of the same fields. */
export const AppUpdate = v.partial(AppRegistration);
export type AppUpdate = v.InferInput<typeof AppUpdate>;

/** 2.10, every field but the id. */
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
  // Moments of apps are shown as plain text, without a form.
  createdAt: v.string(),
  updatedAt: v.string(),
};

/** 2.10, an app. */
export const App = v.looseObject({ id: NonEmptyText, ...lenientFields(appFields) });
export type App = v.InferOutput<typeof App>;
