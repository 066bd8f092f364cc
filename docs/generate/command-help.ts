import { run } from '../../server-kit/tools/cli/run.ts';
import { block } from './markdown.ts';

/** Returns the help of the command line and of each of its commands, as `--help` prints it. */
export async function commandHelp(command: readonly string[] = []): Promise<string> {
  const help = await printHelp(command);
  const [own = '', list = ''] = help.split('\nCommands:\n');
  const names = [...(list.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z][\w-]*)/gm)].map(
    ([, name = '']) => name,
  );
  const inner = names.filter((name) => name !== 'help').map((name) => commandHelp([...command, name]));
  const section =
    command.length === 0
      ? block(help)
      : `## ${command.join(' ')}\n\n${block(own.replace(/\nExit codes:[\s\S]*/, ''))}`;
  return [section, ...(await Promise.all(inner))].join('\n\n');
}

async function printHelp(command: readonly string[]): Promise<string> {
  let help = '';
  const stdout = { columns: 100, write: (part: string) => (help += part) };
  const io = { stdout, stderr: stdout, env: {}, signal: new AbortController().signal };
  await run([...command, '--help'], io as unknown as Parameters<typeof run>[1]);
  return help;
}
