import { describe, expect, it } from 'vitest';
import { runCli } from './cli-kit.ts';

const commands = ['sandbox', 'trigger', 'sign request', 'sign callback', 'verify request', 'verify callback'];

describe('the command line', () => {
  it.each([...commands, 'reconcile', 'status', 'order'])(
    'lists %s, and has help with an example for it',
    async (leaf) => {
      const { stdout: list } = await runCli('--help');
      expect(list).toMatch(new RegExp(`^  ${leaf.split(' ')[0]} `, 'm'));
      const { code, stdout } = await runCli(`${leaf} --help`);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Examples:\n {2}\$ transfer-checkout /);
      expect(stdout).toContain('--json');
      expect(stdout).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}130 /);
    },
  );

  it.each([
    ['no command', [], 'Usage: transfer-checkout'],
    ['a group alone', 'sign', 'Usage: transfer-checkout sign'],
    ['an unknown command', 'sandbx', '(Did you mean sandbox?)'],
    ['a missing option', 'sign request', "required option '--path <path>' not specified"],
    ['a port beyond all', 'sandbox --port 65536', 'It must be a whole number from 0 to 65535.'],
    ['an invalid port', 'sandbox --port 80x', 'It must be a whole number from 0 to 65535.'],
    ['no address', 'trigger payment.failed --to localhost:3000', 'It must be an http(s) URL'],
  ])('refuses %s with exit code 2 and a hint', async (_name, args, text) => {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(text)]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('shows the stack only with DEBUG', async () => {
    const args = 'sign request --path /nowhere';
    expect((await runCli(args, { env: { DEBUG: '1' } })).stderr).toMatch(/^ +at /m);
    expect((await runCli(args)).stderr).not.toMatch(/^ +at /m);
  });
});

it.each<[string, Record<string, string>, boolean, boolean]>([
  ['are for terminals', {}, true, true],
  ['are not for pipes', {}, false, false],
  ['end with NO_COLOR', { NO_COLOR: '1' }, true, false],
  ['stay with an empty NO_COLOR', { NO_COLOR: '' }, true, true],
  ['come with FORCE_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
  ['end with FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
  ['are not for a dumb terminal', { TERM: 'dumb' }, true, false],
])('colours %s', async (_name, env, isTTY, expected) => {
  let stdout = '';
  const write = (text: string) => (stdout += text);
  const args = 'verify callback --url http://shop.example --body {"data":{}} --signature x --timestamp 1';
  await runCli(args, { env, stdout: { isTTY, write } });
  expect(stdout).toContain('Not valid');
  expect(stdout.includes('\u001b[')).toBe(expected);
});
