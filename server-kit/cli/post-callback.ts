import { fetchText, type TextAnswer } from './fetch-text.ts';
import type { Io } from './io.ts';
import { signedHeaders } from './signed-message.ts';

/** A callback as it is sent: the body is what was signed. */
export type SignedCallback = { body: string; signature: string; timestamp: string };

/** @throws {CliError} where no answer came */
export const postCallback = (
  io: Io,
  url: string,
  { body, signature, timestamp }: SignedCallback,
): Promise<TextAnswer> =>
  fetchText(io, url, { method: 'POST', headers: signedHeaders(signature, timestamp), body });

/** Whether a receiver has taken a callback, so that it is not sent again. */
export const isTaken = ({ status }: Pick<TextAnswer, 'status'>): boolean => status >= 200 && status < 300;
