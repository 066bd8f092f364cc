import { describe, expect, it } from 'vitest';
import manifest from '../../../../package.json';
import { runCli } from './cli-kit.ts';

const leaves = [
  ['sandbox'],
  ['listen'],
  ['trigger'],
  ['sign', 'request'],
  ['sign', 'callback'],
  ['verify', 'request'],
  ['verify', 'callback'],
  ['payment', 'get'],
  ['payment', 'verify'],
  ['reconcile'],
];

describe('the command line', () => {
  it('lists its commands and its exit codes', async () => {
    const { code, stdout, stderr } = await runCli(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    for (const [name] of leaves) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(stdout).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}130 /);
  });

  it.each(leaves)('has help with an example for %s %s', async (...names) => {
    const { code, stdout } = await runCli([...names.filter(Boolean), '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Examples?:\n {2}\$ transfer-checkout /);
    expect(stdout).toContain('--json');
    expect(stdout).toContain('Exit codes:');
  });

  it('prints the version of the package', async () => {
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  it.each([
    ['no command', [], 'Usage: transfer-checkout'],
    ['a group alone', ['sign'], 'Usage: transfer-checkout sign'],
    ['an unknown command', ['sandbx'], '(Did you mean sandbox?)'],
    ['an unknown option', ['sandbox', '--prot', '1'], '(Did you mean --port?)'],
    ['a missing option', ['sign', 'request'], "required option '--path <path>' not specified"],
    ['a missing argument', ['payment', 'get'], "missing required argument 'id'"],
    ['too many arguments', ['payment', 'get', 'a', 'b'], 'too many arguments'],
    ['a port beyond all', ['sandbox', '--port', '65536'], 'It must be a whole number from 0 to 65535.'],
    ['an invalid port', ['sandbox', '--port', '80x'], 'It must be a whole number from 0 to 65535.'],
    ['no address', ['listen', '--forward-to', 'localhost:3000'], 'It must be an http(s) URL'],
  ])('refuses %s with exit code 2 and a hint', async (_name, args, text) => {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('prints an error as one JSON object with --json', async () => {
    const { code, stdout, stderr } = await runCli(['sandbox', '--json', '--port', 'x']);
    expect([code, stdout]).toEqual([2, '']);
    const { error } = JSON.parse(stderr);
    expect(error).toEqual({ code: 'usage', message: expect.stringContaining('whole number') });
  });

  it('shows the stack only with DEBUG', async () => {
    const args = ['sign', 'request', '--path', '/nowhere'];
    expect((await runCli(args, { env: { DEBUG: '1' } })).stderr).toMatch(/^ +at /m);
    expect((await runCli(args)).stderr).not.toMatch(/^ +at /m);
  });
});

describe('colours', () => {
  const args = ['verify', 'callback', '--url', 'http://shop.example', '--body', '{"data":{}}'].concat(
    '--signature',
    'x',
    '--timestamp',
    '1',
  );
  const hasColours = async (env: Record<string, string>, isTTY: boolean): Promise<boolean> => {
    let stdout = '';
    await runCli(args, {
      env,
      stdout: {
        isTTY,
        write: (text) => {
          stdout += text;
        },
      },
    });
    expect(stdout).toContain('Not valid');
    return stdout.includes('\u001b[');
  };

  it.each<[string, Record<string, string>, boolean, boolean]>([
    ['are for terminals', {}, true, true],
    ['are not for pipes', {}, false, false],
    ['end with NO_COLOR', { NO_COLOR: '1' }, true, false],
    ['stay with an empty NO_COLOR', { NO_COLOR: '' }, true, true],
    ['come with FORCE_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
    ['end with FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
    ['are not for a dumb terminal', { TERM: 'dumb' }, true, false],
  ])('%s', async (_name, env, isTTY, expected) => {
    expect(await hasColours(env, isTTY)).toBe(expected);
  });
});
