import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { describeKills } from './kill.conformance.ts';

describe('two servers on one SQLite file', () => {
  describeKills({
    makeDatabase: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'transfer-checkout-kill-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      return {
        database: { name: 'SQLite', url: `file:${join(folder, 'shop.db')}` },
        // Handlers run at least once here; the merchant's ledger keeps each key once.
        readLedger: async (shop) => [
          ...new Set(shop.calls().flatMap((call) => (call.at === 'written' ? [call.key] : []))),
        ],
      };
    },
  });
});
