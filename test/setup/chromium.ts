import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const run = promisify(execFile);

// First the headless shell: the same engine without the windows of a desktop, which takes half the processor time.
const usualPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Finds Chromium on this machine. `CHROMIUM_PATH` comes first. */
function findChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  return [CHROMIUM_PATH ?? '', ...usualPlaces, chromium.executablePath()].find(
    (path) => path !== '' && existsSync(path),
  );
}

/** Installs Chromium: Debian's package as root, Playwright's download otherwise. */
async function installChromium(): Promise<void> {
  const isDebianRoot = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0;
  if (isDebianRoot) {
    console.log('No Chromium found; installing it with apt-get (about a minute).');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update'], { env, maxBuffer: 1e8 });
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'], {
      env,
      maxBuffer: 1e8,
    });
  } else {
    console.log('No Chromium found; downloading the one of playwright (about a minute).');
    await run('npx', ['playwright-core', 'install', 'chromium'], { maxBuffer: 1e8 });
  }
}

/**
 * Returns the path of a Chromium, and installs one if none is found.
 *
 * @throws {Error} with one line that says how to install it
 */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  const help =
    'Install Chromium or Chrome (Debian: apt-get install chromium-headless-shell), or set CHROMIUM_PATH to one.';
  try {
    await installChromium();
  } catch (cause) {
    throw new Error(`No browser for the tests. ${help}`, { cause });
  }
  const installed = findChromium();
  if (installed === undefined)
    throw new Error(`No browser for the tests, not even after installing one. ${help}`);
  return installed;
}
