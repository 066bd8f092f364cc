import type { App, AppRegistration, AppUpdate } from '../api/app.ts';
import type { CallOptions } from '../options/call-options.ts';
import type { Call } from '../request/call.ts';

/** Apps (interface, sections 4.13 and 4.14). They use the client's `authToken` and are not signed. */
export type AppsResource = {
  /**
   * 4.13: registers an app. Never retried, because that could register a second one.
   *
   * @throws {PaymentsError} `invalid_options` for a client without `authToken`
   */
  register: (body: AppRegistration, options?: CallOptions) => Promise<App>;
  /**
   * 4.14: changes the given fields. Retried after a transient failure.
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
