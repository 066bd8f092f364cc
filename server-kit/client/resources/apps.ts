import type { App, AppRegistration, AppUpdate } from '../../api/app.ts';
import type { Call } from '../request/call.ts';
import type { CallOptions } from '../request/call-options.ts';

/** Apps (interface, sections 4.13 and 4.14). They take the client's `authToken`, and are not signed. */
export type AppsResource = {
  /**
   * 4.13: registers an app. Never sent again by itself, because a second one would be another app.
   *
   * @throws {PaymentsError} `invalid_options` for a client without `authToken`
   */
  register: (body: AppRegistration, options?: CallOptions) => Promise<App>;
  /**
   * 4.14: changes the fields that are given. Sent again after a failure that may pass: the same change twice is one.
   *
   * @throws {PaymentsError} `invalid_options` for a client without `authToken`
   */
  update: (id: string, body: AppUpdate, options?: CallOptions) => Promise<App>;
};

export function createAppsResource(call: Call): AppsResource {
  return {
    register: (body, options) => call('apps.register', { body }, options),
    update: (id, body, options) => call('apps.update', { path: { id }, body }, options),
  };
}
