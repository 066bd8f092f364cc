import { type Command, InvalidArgumentError } from 'commander';
import { parseWebUrl } from '../../../../src/contract/index.ts';

/** The default port of `transfer-checkout sandbox`. */
export const defaultPort = 4010;
export const defaultSandboxUrl: string = `http://localhost:${defaultPort}`;

export const addJsonOption = (command: Command): Command =>
  command.option('--json', 'print JSON, one value on each line; errors too, on standard error');

/** Validates an absolute http(s) URL and returns it unchanged, because it can be part of the signed text. */
export function readUrl(text: string): string {
  if (parseWebUrl(text) === undefined) {
    throw new InvalidArgumentError('It must be an http(s) URL, such as http://localhost:3000/callbacks.');
  }
  return text;
}

/** Returns a base URL without a final slash. */
export const readBaseUrl = (text: string): string => readUrl(text).replace(/\/+$/, '');

/** @returns the value of `Request-Timestamp` */
export function readTimestamp(text: string): string {
  if (!/^\d{10}$/.test(text)) throw new InvalidArgumentError('It must be UNIX seconds: ten digits.');
  return text;
}

export const readWholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };

/** Validates a received header; an empty one counts as missing. */
export function readHeader(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  throw new InvalidArgumentError('It must be one header value, in ASCII.');
}
