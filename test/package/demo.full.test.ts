import { join } from 'node:path';
import { describe } from 'vitest';
import { hasPostgres } from '../server-kit/kit/services.ts';
import { createSchema } from '../server-kit/stores/postgres/postgres-kit.ts';
import { describeSurvival, type Env, newFolder } from './demo-survival.ts';

const postgres = async (): Promise<Env> => ({
  DATABASE_URL: (await createSchema()).connectionString,
  SANDBOX_DATA: join(await newFolder(), 'sandbox.json'),
});

describe.skipIf(!(await hasPostgres()))('the demo on PostgreSQL', () => describeSurvival(postgres));
