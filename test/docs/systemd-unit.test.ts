import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(!hasSystemd)('documents a systemd unit that systemd accepts', () => {
  const page = readFileSync(new URL('../../docs/server/any-backend.md', import.meta.url), 'utf8');
  const [, unit = ''] = /```ini\n([^`]+)```/.exec(page) ?? [];
  expect(unit).toContain('transfer-checkout serve');
  const folder = mkdtempSync(join(tmpdir(), 'unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'checkout.service');
  writeFileSync(file, unit);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
