import { bodyMistakes } from './body-mistakes.ts';
import type { Mistake } from './mistake.ts';

const path: readonly Mistake[] = [
  {
    hint: 'The path was signed as it was sent; lower-case it first.',
    change: () => ({ pathCase: 'exact' }),
  },
  {
    hint: 'The path was lower-cased; sign it as it is sent.',
    change: () => ({ pathCase: 'lowerCase' }),
  },
  {
    hint: 'The query string was signed with the path; leave it out.',
    change: (recipe, { search }) => ({ path: recipe.path + search }),
  },
  {
    hint: "The base address's own path was signed with the path; begin at /v1.",
    change: (recipe, { basePath }) => ({ path: basePath + recipe.path }),
  },
  {
    hint: 'The whole URL was signed; sign its path from /v1 on.',
    change: (recipe, { origin, basePath }) => ({ path: origin + basePath + recipe.path }),
  },
  {
    hint: 'The host was signed with the path; begin at /v1.',
    change: (recipe, { origin, basePath }) => ({ path: new URL(origin).host + basePath + recipe.path }),
  },
  {
    hint: 'The path was signed without /v1; begin with it.',
    change: (recipe) => ({ path: recipe.path.replace(/^\/v1/, '') }),
  },
  {
    hint: 'The path was signed without its first slash; begin with it.',
    change: (recipe) => ({ path: recipe.path.replace(/^\//, '') }),
  },
  {
    hint: 'A slash that was not sent was signed after the path; leave it out.',
    change: (recipe) => ({ path: `${recipe.path}/` }),
  },
  {
    hint: 'The method was signed before the path; leave it out.',
    change: (_recipe, { method }) => ({ method }),
  },
];

const hashing: readonly Mistake[] = [
  {
    hint: 'The body hash is a plain SHA-512; make it an HMAC with the API secret as key.',
    change: () => ({ bodyAlgorithm: 'SHA-512' }),
  },
  {
    hint: 'The signature is a plain SHA-512; make it an HMAC with the API secret as key.',
    change: () => ({ algorithm: 'SHA-512' }),
  },
  {
    hint: 'Body hash and signature are plain SHA-512; make both an HMAC with the API secret as key.',
    change: () => ({ algorithm: 'SHA-512', bodyAlgorithm: 'SHA-512' }),
  },
  {
    hint: 'Body hash and signature are HMAC-SHA-256; make both HMAC-SHA-512.',
    change: () => ({ algorithm: 'HMAC-SHA-256', bodyAlgorithm: 'HMAC-SHA-256' }),
  },
  {
    hint: 'The signature is HMAC-SHA-256; make it HMAC-SHA-512.',
    change: () => ({ algorithm: 'HMAC-SHA-256' }),
  },
  {
    hint: 'The body hash is HMAC-SHA-256; make it HMAC-SHA-512.',
    change: () => ({ bodyAlgorithm: 'HMAC-SHA-256' }),
  },
  {
    hint: 'The signature is in base64; write it in hex.',
    change: () => ({ encoding: 'base64' }),
  },
  {
    hint: 'The body hash is in base64; write it in hex.',
    change: () => ({ bodyEncoding: 'base64' }),
  },
  {
    hint: 'The signature is in upper case; write the hex in lower case.',
    change: () => ({ encoding: 'upperCaseHex' }),
  },
  {
    hint: 'The body hash is in upper case; write the hex in lower case.',
    change: () => ({ bodyEncoding: 'upperCaseHex' }),
  },
];

const secret: readonly Mistake[] = [
  {
    hint: 'The API key was used as the secret; sign with the API secret.',
    change: (_recipe, { apiKey }) => ({ secret: apiKey }),
  },
  {
    hint: 'The auth token was used as the secret; sign with the API secret.',
    change: (_recipe, { authToken }) => ({ secret: authToken }),
  },
  {
    hint: 'The secret ends with a line break; remove it.',
    change: (recipe) => ({ secret: `${recipe.secret}\n` }),
  },
  {
    hint: 'The secret was used with its quotation marks; remove them.',
    change: (recipe) => ({ secret: `"${recipe.secret}"` }),
  },
];

const separators: Readonly<Record<string, string>> = {
  '\n': 'A line break',
  '.': 'A full stop',
  ' ': 'A space',
  ':': 'A colon',
  ',': 'A comma',
  '|': 'A vertical bar',
  '&': 'An ampersand',
  '-': 'A hyphen',
};

const text: readonly Mistake[] = [
  ...Object.entries(separators).map(
    ([separator, name]): Mistake => ({
      hint: `${name} is between the parts of the signed text; put nothing between them.`,
      change: () => ({ separator }),
    }),
  ),
  {
    hint: 'The timestamp was left out of the signed text; put it at the end.',
    change: () => ({ timestamp: '' }),
  },
  {
    hint: 'The timestamp is in milliseconds; send and sign UNIX seconds, ten digits.',
    change: (_recipe, { timestamp }) => ({ timestamp }),
  },
  {
    hint: 'The timestamp was signed in milliseconds; sign the very text of the header.',
    change: (recipe) => ({ timestamp: `${recipe.timestamp}000` }),
  },
  {
    hint: 'The timestamp is first in the signed text; put it at the end.',
    change: () => ({ order: ['timestamp', 'path', 'body'] }),
  },
  {
    hint: 'The timestamp is before the body hash; put it at the end.',
    change: () => ({ order: ['path', 'timestamp', 'body'] }),
  },
  {
    hint: 'The body hash is first in the signed text; put it after the path.',
    change: () => ({ order: ['body', 'path', 'timestamp'] }),
  },
];

/** Common mistakes in signing a request. One that does not apply produces the correct signature and is never found. */
export const mistakes: readonly Mistake[] = [...path, ...bodyMistakes, ...hashing, ...secret, ...text];
