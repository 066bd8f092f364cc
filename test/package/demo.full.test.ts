import { join } from 'node:path';
import { describe } from 'vitest';
import { createSchema } from '../server-kit/drivers/postgres/postgres-kit.ts';
import { hasPostgres, hasRedis, redisUrl } from '../server-kit/kit/services.ts';
import { describeSurvival, type Env, newFolder } from './demo-survival.ts';

const postgres = async (): Promise<Env> => ({
  DATABASE_URL: (await createSchema()).connectionString,
  SANDBOX_DATA: join(await newFolder(), 'sandbox.json'),
});
const postgresAndRedis = async (): Promise<Env> => ({ ...(await postgres()), REDIS_URL: redisUrl });

describe.skipIf(!(await hasPostgres()))('the demo on PostgreSQL', () => describeSurvival(postgres));

describe.skipIf(!(await hasPostgres()) || !(await hasRedis()))('the demo on PostgreSQL and Redis', () =>
  describeSurvival(postgresAndRedis),
);
