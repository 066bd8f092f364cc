import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CliError } from '../terminal/cli-error.ts';

/**
 * Returns the checkout that a module exports. Another copy of the package may have created it.
 *
 * @param members the members that the command uses
 * @throws {CliError} `module_failed` for a module that cannot be loaded, `not_a_checkout` for another export
 */
export async function loadCheckout<T extends object>(
  { module: file, export: name }: { module: string; export?: string },
  members: readonly (keyof T)[],
): Promise<T> {
  const { href } = pathToFileURL(resolve(file));
  const exported = await import(/* @vite-ignore */ href).catch((cause: unknown) => {
    const message = `${file} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new CliError('module_failed', message, { cause });
  });
  const value: unknown = await (name === undefined
    ? (exported.checkout ?? exported.default)
    : exported[name]);
  if (hasAll<T>(value, members)) return value;
  const found = Object.keys(exported).join(', ') || 'nothing';
  const wanted = name ?? 'checkout';
  const message = `${file} exports no checkout as "${wanted}"; export what createCheckout returns, or name it with --export. It exports ${found}.`;
  throw new CliError('not_a_checkout', message);
}

const hasAll = <T extends object>(value: unknown, members: readonly (keyof T)[]): value is T =>
  members.every((member) => ((value ?? {}) as Partial<T>)[member] !== undefined);
