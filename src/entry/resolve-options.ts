import * as v from 'valibot';
import { CheckoutError, parseWebUrl, Session } from '../contract/index.ts';
import type { Appearance } from '../options/appearance.ts';
import { resolveOrder, type Settings, type ValidOptions } from '../options/options.ts';
import { pageBase } from '../widget/dom/page.ts';

export type ResolvedOptions = ReturnType<typeof resolveOptions>;

export const resolveOptions = (options: ValidOptions) => ({
  ...settingsOf(options, pageBase),
  ...resolveOrder(options),
  session:
    options.session &&
    parseGiven(
      Session,
      options.session,
      'The option session must be a session from createSession() of the server-kit.',
    ),
});

/** Returns the settings, with absolute URLs. Without a `base`, relative URLs are left out. */
export function settingsOf(options: ValidOptions, base?: () => string) {
  const { appearance } = options;
  const resolve = (url: string | undefined): string | undefined => url && parseWebUrl(url, base?.())?.href;
  return {
    ...options,
    theme: appearance?.theme ?? 'auto',
    density: appearance?.density,
    variables: customProperties(appearance?.variables),
    logo: toLogo(options.logo),
    returnUrl: resolve(options.returnUrl),
    supportUrl: resolve(options.supportUrl),
    payLink: resolve(options.payLink),
  };
}

const customProperties = (variables: Appearance['variables'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [`--checkout-${name}`, value ?? '']));

function toLogo(logo: ValidOptions['logo']): Settings['logo'] {
  const { src, alt = '' } = typeof logo === 'object' ? logo : { src: logo };
  return src ? { src, alt } : undefined;
}

export function parseGiven<const Schema extends v.GenericSchema>(
  schema: Schema,
  given: unknown,
  message: string,
): v.InferOutput<Schema> {
  const { success, output } = v.safeParse(schema, given);
  if (success) return output;
  throw new CheckoutError('invalid_options', message);
}
