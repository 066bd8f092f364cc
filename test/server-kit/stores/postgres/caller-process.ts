import { createInterface } from 'node:readline';
import { Pool } from 'pg';
import { createPostgresStore, type PostgresStore } from '../../../../server-kit/stores/postgres/store.ts';

/** Who uses a pool of the process, and whose pool that is. Nobody listens to the errors of the merchant's. */
export type CallerKind = 'store with its own pool' | 'store on the merchant’s pool';

export type CallerSettings = {
  connectionString: string;
  kind: CallerKind;
};

/** What the process has seen so far, printed for each line that it reads. */
export type CallerReport = { succeeded: number; failed: number };

const { connectionString, kind } = JSON.parse(process.argv[2] ?? '') as CallerSettings;
const report: CallerReport = { succeeded: 0, failed: 0 };

callForEver(createCall());
createInterface(process.stdin)
  .on('line', () => process.stdout.write(`${JSON.stringify(report)}\n`))
  .on('close', () => process.exit(0));

async function callForEver(call: () => Promise<unknown>): Promise<never> {
  for (;;) {
    await call().then(
      () => report.succeeded++,
      () => report.failed++,
    );
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** One call, which rejects when its connection is lost. */
function createCall(): () => Promise<unknown> {
  switch (kind) {
    case 'store with its own pool':
      return callsOf(createPostgresStore({ connectionString }));
    case 'store on the merchant’s pool':
      return callsOf(createPostgresStore({ pool: new Pool({ connectionString }) }));
  }
}

/** By the simple protocol, and by the extended one. */
function callsOf(store: PostgresStore): () => Promise<unknown> {
  return async () => {
    await store.claimOutboxEvent({ leaseMs: 1000 });
    await store.find({ reference: 'tc_1' });
  };
}
