/** A failed command. `code` is for programs (`--json`); the message tells people what to do. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Wrong usage of a command; nothing was done. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';

  constructor(message: string, options?: ErrorOptions) {
    super('usage', message, options);
  }
}
