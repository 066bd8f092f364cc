import type { Look } from './look.ts';

/** A brand: a look to begin with. */
export type Preset = { readonly name: string } & Pick<Look, 'theme' | 'variables'>;

export const presets: readonly Preset[] = [
  {
    name: 'Ledger',
    theme: 'light',
    variables: {
      accent: '#1b2a41',
      background: '#fffefb',
      text: '#1b2a41',
      line: '#d8d3c5',
      font: 'Georgia, serif',
      radius: '2px',
      shadow: 'none',
    },
  },
  {
    name: 'Midnight',
    theme: 'dark',
    variables: {
      accent: '#8b7dff',
      background: '#14152b',
      text: '#eceaff',
      line: '#34365c',
      success: '#8b7dff',
      radius: '20px',
      shadow: '0 16px 48px #0008',
    },
  },
  {
    name: 'Sunrise',
    theme: 'light',
    variables: {
      accent: '#c2410c',
      background: '#fffaf5',
      text: '#3b1d0f',
      line: '#f0dccb',
      font: 'ui-rounded, system-ui, sans-serif',
      radius: '28px',
      'button-radius': '999px',
      'panel-radius': '18px',
      border: '0',
      shadow: '0 12px 40px #c2410c26',
    },
  },
  {
    name: 'Market',
    theme: 'light',
    variables: {
      accent: '#0b7a3b',
      text: '#10261a',
      line: '#c9dfd0',
      font: 'Verdana, sans-serif',
      'font-size': '0.9375rem',
      radius: '8px',
      gap: '0.6em',
    },
  },
  {
    name: 'Poster',
    theme: 'light',
    variables: {
      accent: '#ffd400',
      text: '#111',
      line: '#111',
      success: '#ffd400',
      radius: '0px',
      border: '3px solid #111',
      shadow: '8px 8px 0 #111',
    },
  },
  {
    name: 'Lagoon',
    theme: 'dark',
    variables: {
      accent: '#2dd4bf',
      background: '#062a30',
      text: '#e3fbf8',
      line: '#1d4a50',
      success: '#2dd4bf',
      warning: '#ffc46b',
      radius: '12px',
      'button-radius': '6px',
      border: '1px solid #1d4a50',
      shadow: 'none',
    },
  },
];
