import { type OutcomeCounts, toOutcomeCounts } from '../../checkout/ports/store.ts';
import type { Database, SqlDialect } from './database.ts';

/** Spreads each count over several rows, for which writes at the same time would otherwise wait. */
const countShards = 8;

/** Returns the statement that adds these numbers to the counts of the outcomes. The order of the rows prevents deadlocks. */
export function count({ prefix }: SqlDialect, spreadBy: string, numbers: string): string {
  let hash = 0;
  for (const character of spreadBy) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return `INSERT INTO ${prefix}outcome_counts AS counts (outcome, shard, number)
    SELECT outcome, ${hash % countShards}, sum(number) FROM (${numbers}) AS numbers WHERE 1 = 1 GROUP BY outcome ORDER BY outcome
    ON CONFLICT (outcome, shard) DO UPDATE SET number = counts.number + excluded.number`;
}

export async function countOutcomes({ sql, run }: Database): Promise<OutcomeCounts> {
  const rows = await run({
    sql: `SELECT outcome, sum(number) AS number FROM ${sql.prefix}outcome_counts GROUP BY outcome`,
  });
  return toOutcomeCounts(new Map(rows.map(({ outcome, number }) => [outcome, Number(number)])));
}
