import { button, type Hostility, tag } from './hostility.ts';

/** A frame without an origin has no storage, and the shop's server refuses it. */
const sandboxed = {
  frame: 'sandbox="allow-scripts"',
  // Retries follow soon.
  before: 'Math.random = () => 0.05;',
};

/** The page in a frame of a page of another origin. */
export const frames: readonly Hostility[] = [
  { name: 'a frame is of another origin', frame: '' },
  {
    name: 'a frame of another origin has a button',
    frame: '',
    body: button,
    // By script, because Firefox's driver does not reach into a frame of another origin.
    before: `addEventListener('load', () => document.querySelector('#pay').click());`,
  },
  {
    ...sandboxed,
    name: 'a sandboxed frame has no origin',
    tag: tag.replace('async', 'async crossorigin'),
    sentence: /right now.*keeps trying/s,
  },
  {
    ...sandboxed,
    name: 'a sandboxed frame has a plain tag',
    // Chromium loads the widget of another origin only with `crossorigin`.
    sentence: /could not be loaded.*Try again|right now.*keeps trying/s,
  },
];
