import { describe, expect, it } from 'vitest';
import { locateChromium } from './browsers.ts';

describe('Chromium is located', () => {
  const here = (path: string) => (one: string) => one === path;

  it.for([
    ['linux', { PATH: '/usr/local/bin:/usr/bin' }, '/usr/local/bin/google-chrome-stable'],
    ['linux', {}, '/usr/bin/chromium'],
    ['linux', {}, '/snap/bin/chromium'],
    ['darwin', {}, '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
    ['win32', { ProgramFiles: 'C:\\P' }, 'C:\\P\\Google\\Chrome\\Application\\chrome.exe'],
    ['win32', { 'ProgramFiles(x86)': 'C:\\X' }, 'C:\\X\\Microsoft\\Edge\\Application\\msedge.exe'],
  ] as const)('on %s, with %o, at %s', ([platform, env, path]) => {
    expect(locateChromium(env, platform, here(path))).toBe(path);
  });

  it('where CHROMIUM_PATH says, and nowhere else', () => {
    const env = { CHROMIUM_PATH: '/opt/mine' };
    expect(locateChromium(env, 'linux', () => true)).toBe('/opt/mine');
    expect(() => locateChromium(env, 'linux', here('/usr/bin/chromium'))).toThrow('CHROMIUM_PATH');
  });

  it('first as a headless shell, and not on a machine without any', () => {
    expect(locateChromium({}, 'linux', () => true)).toBe('/usr/bin/chromium-headless-shell');
    expect(locateChromium({}, 'linux', () => false)).toBeUndefined();
  });
});
