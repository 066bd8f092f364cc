import { type Command, InvalidArgumentError } from 'commander';
import { parseWebUrl } from '../../../src/contract/index.ts';

/** Where `transfer-checkout sandbox` listens unless it is told otherwise. */
export const defaultPort = 4010;
export const defaultSandboxUrl: string = `http://localhost:${defaultPort}`;

export const addJsonOption = (command: Command): Command =>
  command.option('--json', 'print JSON: one value a line; errors too, on standard error');

/** An absolute http(s) URL, exactly as it was typed: it may be part of what is signed. */
export function readUrl(text: string): string {
  if (parseWebUrl(text) === undefined) {
    throw new InvalidArgumentError('It must be an http(s) address, such as http://localhost:3000/callbacks.');
  }
  return text;
}

/** A base address, to which paths are added. */
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

/** A header as it was received; an empty one is a missing one. */
export function readHeader(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the text of one header, in ASCII.');
}
