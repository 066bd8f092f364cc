import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { addDeadLettersCommand } from './commands/dead-letters.ts';
import { addListenCommand } from './commands/listen.ts';
import { addPaymentCommands } from './commands/payment.ts';
import { addReconcileCommand } from './commands/reconcile.ts';
import { addSandboxCommand } from './commands/sandbox.ts';
import { addSignCommands } from './commands/sign.ts';
import { addTriggerCommand } from './commands/trigger.ts';
import { addVerifyCommands } from './commands/verify.ts';
import { type CliError, UsageError } from './terminal/cli-error.ts';
import type { Io } from './terminal/io.ts';
import { printable } from './terminal/printer.ts';

/** What the process ends with. */
const exitCodes = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/**
 * Runs one command line, and gives the exit code. Nothing is thrown: every error is told on standard error.
 *
 * @param args without the program's own name
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(io).parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    // Help and version were asked for, and are shown.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    if (io.signal.aborted) return exitCodes.interrupted;
    tell(error, args, io);
    return isUsage(error) ? exitCodes.usage : exitCodes.failed;
  }
}

function createProgram(io: Io): Command {
  const program = new Command('transfer-checkout')
    .description(
      'Tools for taking payments by bank transfer: a sandbox of the payments service, and what signs for it.',
    )
    .version(version)
    // So that a command with commands of its own leaves them the options behind their names.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // Told once, by `tell`.
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
    })
    .addHelpText('afterAll', exitCodeHelp);
  addSandboxCommand(program, io);
  addListenCommand(program, io);
  addTriggerCommand(program, io);
  addSignCommands(program, io);
  addVerifyCommands(program, io);
  addPaymentCommands(program, io);
  addReconcileCommand(program, io);
  addDeadLettersCommand(program, io);
  return program;
}

const exitCodeHelp = `
Exit codes:
  0    done; sandbox, listen and reconcile: ended with Ctrl-C
  1    failed, refused, or not valid
  2    called wrongly; nothing was done
  130  broken off with Ctrl-C`;

const isUsage = (error: unknown): boolean => error instanceof CommanderError || error instanceof UsageError;

function tell(error: unknown, args: readonly string[], { stderr, env }: Io): void {
  // Shown instead of a message: which commands there are.
  if (error instanceof CommanderError && error.code === 'commander.help') return;
  const text = (error as Error).message.replace(/^error: /, '');
  if (args.includes('--json')) {
    stderr.write(`${JSON.stringify({ error: { code: codeOf(error), message: text } })}\n`);
  } else {
    stderr.write(`error: ${printable(text)}\n`);
    if (isUsage(error)) stderr.write('Add --help to see what the command takes.\n');
  }
  if (env.DEBUG) stderr.write(`${inspect(error)}\n`);
}

/** The errors of this package have a code each; so have those of the system. */
function codeOf(error: unknown): string {
  if (error instanceof CommanderError) return 'usage';
  const { code } = error as Partial<CliError>;
  return typeof code === 'string' ? code : 'failed';
}
