import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PlainRequest } from '../../../server-kit/core/http.ts';
import { createClientSecrets } from '../../../server-kit/core/secrets.ts';
import { parseCallback } from '../../../server-kit/core/signature.ts';
import { requireOperatorKey } from '../../../server-kit/engine/routes/router.ts';
import { verifyRequest } from '../../../server-kit/service/signatures.ts';
import { projectFolder } from '../../setup/demo-process.ts';

// The object that the code gets from the runtime, too: an import would be a copy.
const nodeCrypto = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');

const key = 'a-key-of-at-least-32-characters!!';
const now = 1_772_366_400_000;
const message = { timestamp: String(now / 1000), secrets: [key, 'another-secret'], now };
const secrets = createClientSecrets([key, 'another-key-of-at-least-32-chars'], 600);
const issued = await secrets.issue({
  reference: 'tc_1',
  liveMode: false,
  expiresAt: new Date(now).toISOString(),
});
const limits = { take: async () => {}, clientOf: () => undefined };
const bearer = (token: string) => ({ header: () => `Bearer ${token}` }) as unknown as PlainRequest;
const body = { rawBody: '{"data":{}}', callbackUrl: 'https://shop.example/callbacks' };

const checks: Record<string, (given: string) => Promise<unknown>> = {
  'the signature of a callback': (signature) => parseCallback({ ...message, ...body, signature }),
  'the signature of a request': (signature) => verifyRequest({ ...message, path: '/v1/payments', signature }),
  'a client secret': (secret) => secrets.verify(secret, 'tc_1', now),
  'the operator key': (token) => requireOperatorKey({ operatorKey: key, limits }, bearer(token)),
};
const wrong = {
  short: 'a',
  'of another length': `${key}${key}`,
  'wrong at its start': `b${key.slice(1)}`,
  'wrong at its end': `${issued.slice(0, -1)}${issued.endsWith('0') ? '1' : '0'}`,
};

describe.each(Object.entries(checks))('%s', (_name, check) => {
  it.each(Object.entries(wrong))('is compared by digests where it is %s', async (_how, given) => {
    const hashed = vi.spyOn(nodeCrypto, 'createHash');
    onTestFinished(() => hashed.mockRestore());
    await check(given).catch(() => {});
    expect(hashed.mock.calls.map(([name]) => name)).toContain('sha256');
  });
});

/** A comparison of what its name calls a secret with anything but a missing or an empty one. */
const naive =
  /\b\w*(?:secret|signature|apiKey|authToken|operatorKey|password|mac)\b(?:\(.*?\))? *[!=]==? *(?!undefined|null|''|'\w+'|\d)[\w.]|[\w.)]+(?<!undefined|null|typeof \w+) *[!=]==? *\w*(?:secret|signature|apiKey|authToken|operatorKey|password|mac)\b(?!')/i;

describe('a secret', () => {
  const folders = ['server-kit', 'demo/node', 'demo/merchant', 'demo/hosted'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );

  it('is nowhere compared with ===', () => {
    const findings = files.flatMap((file) =>
      readFileSync(join(projectFolder, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (naive.test(line) ? `${file}:${index + 1}: ${line.trim()}` : [])),
    );
    expect(findings).toEqual([]);
  });

  it.each([
    'if (bearerToken(request) === operatorKey) return;',
    'return signature === expected;',
    'const isRight = expected.value !== clientSecret;',
    "if (headers.get('x') == apiKey) return;",
  ])('is seen to be compared in %j', (line) => {
    expect(naive.test(line)).toBe(true);
  });
});
