import { existsSync } from 'node:fs';

/** The programs that drive WebKit on a machine without a screen. */
export type WebKitPrograms = {
  /** `WebKitWebDriver` of WebKitGTK, which starts its MiniBrowser. */
  readonly driver: string;
  /** `Xvfb`, a virtual screen. */
  readonly screen: string;
};

/**
 * Finds Firefox by `FIREFOX_PATH` or in Debian's package. Without it its tests are skipped, which one line reports.
 *
 * @throws {Error} when there is none and `REQUIRE_SERVICES` forbids skipping
 */
export function findFirefox(): string | undefined {
  const found = [process.env.FIREFOX_PATH ?? '', '/usr/bin/firefox-esr'].find(isFile);
  return found ?? miss('Firefox', 'apt-get install firefox-esr, or set FIREFOX_PATH to one');
}

/** Finds WebKit, on Linux only. */
export function findWebKit(): WebKitPrograms | undefined {
  const programs = { driver: '/usr/bin/WebKitWebDriver', screen: '/usr/bin/Xvfb' };
  if (isFile(programs.driver) && isFile(programs.screen)) return programs;
  return miss('WebKit', 'apt-get install webkit2gtk-driver xvfb');
}

const isFile = (path: string): boolean => path !== '' && existsSync(path);

function miss(browser: string, help: string): undefined {
  const line = `it is not installed (Debian: ${help}).`;
  if (process.env.REQUIRE_SERVICES) throw new Error(`${browser} is required, but ${line}`);
  console.warn(`Tests that need ${browser} are skipped: ${line}`);
}
