import { parseWebUrl } from '../contract/web-url.ts';

export const isAddress = (url: unknown): boolean => !url || !!parseWebUrl(url, 'https://shop.example');

/** Browsers read `//host` and `/\host` as other sites, and the routes cannot follow a query. */
export const isServerUrl = (url: unknown): boolean =>
  typeof url === 'string' && (/^\/(?![/\\])/.test(url) || !!parseWebUrl(url)) && !/[?#]/.test(url);

export const isPause = (seconds: unknown): boolean => Number.isInteger(seconds) && Number(seconds) > 2;

export function readEmail(email: unknown): string | undefined {
  const address = typeof email === 'string' ? email.trim().replace(/^mailto:/i, '') : '';
  return /^[^\s@?&]+@[^\s@?&]+$/.test(address) ? address : undefined;
}

export const isUssd = (banks: unknown): boolean =>
  Array.isArray(banks) && banks.every((bank) => isUssdBank(Object(bank)));

const isUssdBank = ({ bank, template }: Record<string, string>): boolean =>
  !!bank && /^\*(?!.*\d{10})([\d*]|{(amount|account)})+#$/.test(`${template}`);

/** Returns language tags in their usual form: `en-US` for `en_us`. */
export function readLocale(locale: unknown): string | readonly string[] | undefined {
  const tags = typeof locale === 'string' ? locale.trim().split(/\s+/) : locale;
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) return undefined;
  if (/^auto$/i.test(tags.join())) return 'auto';
  const canonical = attempt(() => tags.map((tag) => Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0]));
  return typeof locale === 'string' ? canonical?.join(' ') : (canonical as readonly string[] | undefined);
}

/** An unknown tag would fail later, when the language's name is looked up. */
export const isLanguages = (languages: unknown): boolean =>
  typeof languages === 'object' && !!attempt(() => Intl.getCanonicalLocales(Object.keys(Object(languages))));

/** False for a function or a symbol, and where `JSON.stringify` throws: circular values, or a BigInt. */
export const isJson = (value: unknown): boolean => attempt(() => JSON.stringify(value)) !== undefined;

export const isLogo = (logo: unknown): boolean => {
  const src: unknown = typeof logo === 'object' ? Object(logo).src : logo;
  return !src || (typeof src === 'string' && /^(https?:|data:image|[^:]*$)/.test(src));
};

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
