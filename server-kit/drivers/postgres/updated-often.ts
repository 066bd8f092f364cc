/**
 * Returns the settings of a table whose rows change often, for the end of its CREATE TABLE. By default, PostgreSQL would leave no room for a
 * changed row on its page, and wait until a fifth of the rows has changed before it cleans up.
 *
 * @param freePercent the share of a page that is kept free for changed rows
 */
export const updatedOften = (freePercent: number): string =>
  ` WITH (fillfactor = ${100 - freePercent}, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02)`;
