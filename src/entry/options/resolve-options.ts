import * as v from 'valibot';
import { CheckoutError, ownCopy, parseWebUrl, Session } from '../../contract/index.ts';
import type { Appearance } from '../../options/options.ts';
import type { ValidOptions } from '../../options/validate-options.ts';
import { pageBase } from '../../widget/dom/page.ts';
import type { Settings } from '../../widget/model/settings.ts';
import { resolveOrder } from './resolve-order.ts';

/** The options as the checkout uses them. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>;

/**
 * Returns the options with defaults, and URLs resolved against the page.
 *
 * @throws {CheckoutError} `invalid_options` for an invalid session
 */
export const resolveOptions = (options: ValidOptions) => ({
  ...settingsOf(options, pageBase),
  ...resolveOrder(options),
  session: options.session && checkSession(options.session),
});

/** Returns the settings, with absolute URLs. Without a `base`, relative URLs are left out. */
export function settingsOf(options: ValidOptions, base?: () => string) {
  const appearance = ownCopy(options.appearance);
  const resolve = (url: string | undefined): string | undefined => url && parseWebUrl(url, base?.())?.href;
  return {
    ...options,
    theme: appearance?.theme ?? 'auto',
    variables: customProperties(appearance),
    logo: toLogo(options.logo),
    text: options.text && ownCopy(options.text),
    returnUrl: resolve(options.returnUrl),
    supportUrl: resolve(options.supportUrl),
    payLink: resolve(options.payLink),
  };
}

function customProperties({ density, variables }: Appearance = {}): Record<string, string> {
  const all = { gap: density === 'compact' ? '.5em' : '', ...variables };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`--checkout-${name}`, value ?? '']));
}

function toLogo(logo: ValidOptions['logo']): Settings['logo'] {
  const { src, alt = '' } = typeof logo === 'object' ? logo : { src: logo };
  return src ? { src, alt } : undefined;
}

function checkSession(session: unknown): Session {
  const result = v.safeParse(Session, session);
  if (result.success) return result.output;
  const message = 'The option session must be a session from createSession() of the server-kit.';
  throw new CheckoutError('invalid_options', message);
}
