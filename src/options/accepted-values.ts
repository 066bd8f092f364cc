import { parseWebUrl } from '../contract/web-url.ts';

/** An http(s) URL, or one relative to any page. An empty text means no URL. */
export const isAddress = (url: unknown): boolean => !url || !!parseWebUrl(url, 'https://shop.example');

/** Browsers read `//host` and `/\host` as other sites, and the routes cannot follow a query. */
export const isServerUrl = (url: unknown): boolean =>
  typeof url === 'string' && (/^\/(?![/\\])/.test(url) || !!parseWebUrl(url)) && !/[?#]/.test(url);

export const isPause = (seconds: unknown): boolean => Number.isInteger(seconds) && Number(seconds) > 2;

export const isEmail = (email: unknown): boolean =>
  !email || (typeof email === 'string' && /^[^\s@?&]+@[^\s@?&]+$/.test(email));

export const isUssd = (banks: unknown): boolean =>
  !banks || (Array.isArray(banks) && banks.every((bank) => isUssdBank(Object(bank))));

const isUssdBank = ({ bank, template }: Record<string, string>): boolean =>
  !!bank && /^\*(?!.*\d{10})([\d*]|{(amount|account)})+#$/.test(`${template}`);

export function isLocale(locale: unknown): boolean {
  const tags = typeof locale === 'string' ? locale.split(' ') : locale;
  const isList = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
  return locale === 'auto' || (isList && succeeds(() => Intl.getCanonicalLocales(tags)));
}

/** An unknown tag would fail later, when the language's name is looked up. */
export const isLanguages = (languages: unknown): boolean =>
  !languages ||
  (typeof languages === 'object' && succeeds(() => Intl.getCanonicalLocales(Object.keys(languages))));

/** False for a function or a symbol, and where `JSON.stringify` throws: circular values, or a BigInt. */
export const isJson = (value: unknown): boolean => succeeds(() => JSON.stringify(value));

export const isLogo = (logo: unknown): boolean => {
  const src: unknown = typeof logo === 'object' ? Object(logo).src : logo;
  return !src || (typeof src === 'string' && /^(https?:|data:image|[^:]*$)/.test(src));
};

/** Returns whether a function returns something, and does not throw. */
function succeeds(run: () => unknown): boolean {
  try {
    return run() !== undefined;
  } catch {
    return false;
  }
}
