import { defaultDialect } from '../../../client/api/dialect.ts';
import { SignatureError, toTimestamp } from '../../../client/signing/signature.ts';
import { CliError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { createPrinter, toRows } from '../terminal/printer.ts';

/** The result of verifying a message. */
export type Verdict = {
  /** `undefined` for a valid message. */
  refusal: SignatureError | undefined;
  received: { signature: string; timestamp: string };
  /** The expected signing steps; `undefined` for a body that cannot be signed. */
  expected: object | undefined;
  /** The same steps for people. */
  rows: readonly (readonly [name: string, value: string | undefined])[];
  hints: readonly string[];
  /** The receiver's clock, in milliseconds since the epoch. */
  nowMs: number;
  secretFrom: string;
};

/** Returns the error of a refused message; `undefined` for a valid one. */
export async function refusalOf(verification: Promise<void>): Promise<SignatureError | undefined> {
  try {
    await verification;
    return undefined;
  } catch (error) {
    if (error instanceof SignatureError) return error;
    throw error;
  }
}

/** @throws {CliError} for a refusal, after every step has been printed */
export function showVerdict(verdict: Verdict, io: Io, isJson = false): void {
  const { refusal, received, expected = null, rows, hints, nowMs, secretFrom } = verdict;
  const { print, paint } = createPrinter(io, isJson);
  const tolerance = `within ${defaultDialect.timestampToleranceSeconds} s of ${toTimestamp(nowMs)}`;
  const valid = refusal === undefined;
  print({ valid, reason: refusal?.code ?? null, received, expected, hints, secretFrom }, [
    ...toRows([
      ...rows,
      ['signature found', received.signature],
      ['timestamp expected', tolerance],
      ['timestamp found', received.timestamp],
      ['secret', secretFrom],
    ]),
    '',
    valid ? paint('green', 'Valid.') : paint('red', `Not valid: ${refusal.code}.`),
    ...hints,
  ]);
  if (!valid) throw new CliError(refusal.code, refusal.message, { cause: refusal });
}
