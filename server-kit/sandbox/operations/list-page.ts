import { invalidParams } from '../errors/sandbox-error.ts';
import type { SandboxWorld } from '../world/world.ts';

/** How many records a page has where the request does not say. */
const defaultLimit = 20;

type Listed = { id: string; createdAt: string };
type ListQuery = { limit?: number | undefined; cursor?: string | undefined; createdAt?: Bounds | undefined };
/** In UNIX seconds. */
type Bounds = { [Bound in 'gte' | 'lte' | 'gt' | 'lt']?: number | undefined };
type Page<T> = { hasMore: boolean; cursor: string; data: T[] };

/**
 * One page of a list (interface, section 2.11), newest first. A page goes on after the record at which the one before
 * ended, so that no record is listed twice or left out while others are added or change.
 *
 * @param records all there are, the last added first
 * @param isListed the filters that not every list has
 * @throws {SandboxError} 422 `validation_failed` for a cursor that this list has not given
 */
export function listPage<T extends Listed>(
  { settings }: Pick<SandboxWorld, 'settings'>,
  records: readonly T[],
  query: ListQuery,
  isListed: (record: T) => boolean,
): Page<T> {
  const { limit = defaultLimit, cursor, createdAt = {} } = query;
  const sorted = records.toSorted((left, right) => Date.parse(right.createdAt) - Date.parse(left.createdAt));
  const start = cursor === undefined ? 0 : sorted.findIndex(({ id }) => toCursor(id) === cursor) + 1;
  const { cursor: name } = settings.dialect.listParameters;
  if (cursor !== undefined && start === 0) {
    throw invalidParams([name], `Correct the request: ${name}: must be the cursor of a page of this list.`);
  }
  const rest = sorted.slice(start).filter((record) => isWithin(record, createdAt) && isListed(record));
  const data = rest.slice(0, limit);
  const last = data.at(-1);
  return { hasMore: rest.length > data.length, cursor: last ? toCursor(last.id) : '', data };
}

/** Opaque: nobody should make one. Escaped, because base 64 takes no more than bytes. */
const toCursor = (id: string): string => btoa(encodeURIComponent(id));

function isWithin({ createdAt }: Listed, { gte, lte, gt, lt }: Bounds): boolean {
  const seconds = Date.parse(createdAt) / 1000;
  return (
    (gte === undefined || seconds >= gte) &&
    (lte === undefined || seconds <= lte) &&
    (gt === undefined || seconds > gt) &&
    (lt === undefined || seconds < lt)
  );
}

/** Whether a record has one of the words of a filter, if that is given at all. */
export const isOneOf = <Word>(wanted: Word | readonly Word[] | undefined, word: Word): boolean =>
  wanted === undefined || [wanted].flat().includes(word);
