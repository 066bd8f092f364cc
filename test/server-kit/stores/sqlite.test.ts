import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSqliteStore } from '../../../server-kit/stores/sqlite.ts';
import { describeEffects } from './effects.conformance.ts';
import { describePayments } from './payments.conformance.ts';
import type { MakeStore } from './store-kit.ts';

const makeStore: MakeStore = async ({ now }) => {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return {
    open: () => {
      const store = createSqliteStore({ url: `file:${join(folder, 'shop.db')}`, now });
      onTestFinished(() => store.close());
      return store;
    },
  };
};

describePayments('SQLite', makeStore);
describeEffects('SQLite', makeStore);
