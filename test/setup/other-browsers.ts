import { existsSync } from 'node:fs';

/** What drives WebKit on a machine without a screen. */
export type WebKitPrograms = {
  /** `WebKitWebDriver`, of WebKitGTK. It starts the MiniBrowser that comes with it. */
  readonly driver: string;
  /** `Xvfb`: a screen that nobody sees. */
  readonly screen: string;
};

/**
 * Firefox's program, by `FIREFOX_PATH` or from Debian's package. Where there is none its tests are skipped, and one line
 * says so.
 *
 * @throws {Error} where there is none, and `REQUIRE_SERVICES` is set: nothing is to be skipped
 */
export function findFirefox(): string | undefined {
  const found = [process.env.FIREFOX_PATH ?? '', '/usr/bin/firefox-esr'].find(isFile);
  return found ?? miss('Firefox', 'apt-get install firefox-esr, or set FIREFOX_PATH to one');
}

/** The same for WebKit, which is driven on Linux alone. */
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
