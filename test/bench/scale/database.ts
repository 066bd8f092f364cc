import { Client, Pool } from 'pg';
import { createPostgresStore } from '../../../server-kit/stores/postgres/store.ts';
import { createRecorder, type Recorder, recordedSettings } from './recorder.ts';

const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** A database with the checkout's tables and nothing else. */
export type ScaleDatabase = {
  /** Not recorded. */
  pool: Pool;
  /** What the measured checkout uses. */
  recorded: Pool;
  recorder: Recorder;
  close: () => Promise<void>;
};

export async function createDatabase(): Promise<ScaleDatabase> {
  const name = `bench_scale_${process.pid}`;
  const admin = new Client({ connectionString: postgresUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = name;
  const connectionString = url.href;
  const pool = new Pool({ connectionString });
  const recorded = new Pool({ connectionString, options: recordedSettings });
  const monitor = new Client({ connectionString });
  await monitor.connect();
  await monitor.query('CREATE EXTENSION pg_walinspect');
  await createPostgresStore({ pool }).prepare();
  return {
    pool,
    recorded,
    recorder: createRecorder(recorded, monitor),
    async close() {
      await Promise.all([pool.end(), recorded.end(), monitor.end()]);
      await admin.query(`DROP DATABASE ${name}`);
      await admin.end();
    },
  };
}
