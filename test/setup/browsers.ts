import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** The programs that drive WebKit on a machine without a screen. */
export type WebKitPrograms = {
  /** `WebKitWebDriver` of WebKitGTK, which starts its MiniBrowser. */
  readonly driver: string;
  /** `Xvfb`, a virtual screen. */
  readonly screen: string;
};

// First the headless shell: the same engine without the windows of a desktop, which takes half the processor time.
const linuxNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const macNames = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const windowsPaths = [
  'Google\\Chrome\\Application\\chrome',
  'Chromium\\Application\\chrome',
  'Microsoft\\Edge\\Application\\msedge',
];

/** Returns where Chromium, Chrome and Edge usually are. */
function usualPlaces(): string[] {
  const { env, platform } = process;
  if (platform === 'darwin')
    return macNames.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  if (platform === 'win32') {
    const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter(
      (one) => one !== undefined,
    );
    return windowsPaths.flatMap((path) => folders.map((folder) => `${folder}\\${path}.exe`));
  }
  const folders = [...(env.PATH?.split(':') ?? []), '/usr/bin', '/snap/bin'];
  return linuxNames.flatMap((name) => folders.map((folder) => `${folder}/${name}`));
}

/**
 * Returns the path of a Chromium, Chrome or Edge: the one named by `CHROMIUM_PATH`, one at its usual place, or one that Playwright has
 * downloaded.
 *
 * @throws {Error} when `CHROMIUM_PATH` names no file
 */
function locateChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  if (!CHROMIUM_PATH) return [...usualPlaces(), chromium.executablePath()].find(existsSync);
  if (!existsSync(CHROMIUM_PATH)) throw new Error(`CHROMIUM_PATH names no file: ${CHROMIUM_PATH}`);
  return CHROMIUM_PATH;
}

const chromiumHelp =
  'Install Chrome, Chromium or Edge (Debian: apt-get install chromium), or set CHROMIUM_PATH to one.';

/**
 * Finds Chromium. Without it its tests are skipped, which one line reports.
 *
 * @throws {Error} when there is none and `REQUIRE_SERVICES` forbids skipping
 */
export const findChromium = (): string | undefined => locateChromium() ?? miss('Chromium', chromiumHelp);

/**
 * Returns the path of a Chromium.
 *
 * @throws {Error} when there is none
 */
export function requireChromium(): string {
  const path = locateChromium();
  if (path === undefined) throw new Error(`No browser found. ${chromiumHelp}`);
  return path;
}

/** Finds Firefox by `FIREFOX_PATH` or in Debian's package, like `findChromium`. */
export function findFirefox(): string | undefined {
  const found = [process.env.FIREFOX_PATH ?? '', '/usr/bin/firefox-esr'].find(existsSync);
  return (
    found ?? miss('Firefox', 'Install it (Debian: apt-get install firefox-esr), or set FIREFOX_PATH to one.')
  );
}

/** Finds WebKit, on Linux only. */
export function findWebKit(): WebKitPrograms | undefined {
  const programs = { driver: '/usr/bin/WebKitWebDriver', screen: '/usr/bin/Xvfb' };
  if (existsSync(programs.driver) && existsSync(programs.screen)) return programs;
  return miss('WebKit', 'Install it (Debian: apt-get install webkit2gtk-driver xvfb).');
}

function miss(browser: string, help: string): undefined {
  if (process.env.REQUIRE_SERVICES) throw new Error(`${browser} is required, but not found. ${help}`);
  console.warn(`Tests that need ${browser} are skipped, because it was not found. ${help}`);
}
