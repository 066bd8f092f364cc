import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { version } from '../../../package.json';
import { addOrderCommand } from './order.ts';
import { addReconcileCommand } from './reconcile.ts';
import { addSandboxCommand } from './sandbox.ts';
import { addServeCommand } from './serve.ts';
import { addSignCommands } from './sign.ts';
import { addStatusCommand } from './status.ts';
import { type CliError, type Io, printable } from './terminal.ts';
import { addTriggerCommand } from './trigger.ts';
import { addVerifyCommands } from './verify.ts';

const exitCodes = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** Runs one command line, without the program's name, and returns the exit code. Prints every error, and throws none. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(io).parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    // Commander ends --help and --version with this error.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    if (io.signal.aborted) return exitCodes.interrupted;
    const code = codeOf(error);
    printError(error, code, args.includes('--json'), io);
    return code === 'usage' ? exitCodes.usage : exitCodes.failed;
  }
}

function createProgram(io: Io): Command {
  const program = new Command('transfer-checkout')
    .description(
      'Tools for payments by bank transfer: a sandbox of the payments service, signing, callbacks and reconciliation.',
    )
    .version(version)
    // Options after the name of a subcommand belong to the subcommand.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // `printError` prints it.
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
    })
    .addHelpText('afterAll', exitCodeHelp);
  addSandboxCommand(program, io);
  addServeCommand(program, io);
  addTriggerCommand(program, io);
  addSignCommands(program, io);
  addVerifyCommands(program, io);
  addReconcileCommand(program, io);
  addStatusCommand(program, io);
  addOrderCommand(program, io);
  return program;
}

const exitCodeHelp = `
Exit codes:
  0    success; for sandbox, and reconcile without --once or --url: stopped with Ctrl-C
  1    failed, refused or invalid
  2    wrong usage; nothing was done
  130  interrupted with Ctrl-C`;

function codeOf(error: unknown): string {
  if (error instanceof CommanderError) return 'usage';
  const { code } = error as Partial<CliError>;
  return typeof code === 'string' ? code : 'failed';
}

function printError(error: unknown, code: string, isJson: boolean, { stderr, env }: Io): void {
  // Commander has printed the help instead.
  if (error instanceof CommanderError && error.code === 'commander.help') return;
  const message = (error as Error).message.replace(/^error: /, '');
  const hint = code === 'usage' ? '\nAdd --help to see the options.' : '';
  const json = JSON.stringify({ error: { code, message } });
  stderr.write(isJson ? `${json}\n` : `error: ${printable(message)}${hint}\n`);
  if (env.DEBUG) stderr.write(`${inspect(error)}\n`);
}
