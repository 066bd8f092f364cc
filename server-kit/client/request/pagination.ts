import type { Operation, QueryOf, ResponseOf } from '../api/endpoints.ts';
import { isPlainObject } from '../api/fields.ts';
import { abortedError, PaymentsError } from '../errors/payments-error.ts';
import type { CallOptions } from '../options/call-options.ts';
import type { Call } from './call.ts';

/** One page of a list (interface, section 2.11). */
export type Page<T> = {
  /** The records that could be read. */
  data: T[];
  /**
   * One `invalid_response` for each record that could not be read; its `params` are the index and the field, such as
   * `data.3.amount`. The client's `onError` receives each as well. Empty if all could be read.
   */
  invalid: readonly PaymentsError[];
  /** Whether there are more records. */
  hasMore: boolean;
  /** Where the next page begins; pass it as `cursor`. */
  cursor: string | undefined;
};

/**
 * A list of the service. Awaiting it resolves with the first page; `for await` iterates over the records of all pages and
 * requests each page when it gets there. Several loops may run at once: each has its own position, and all share the first
 * page. A failure is thrown where the list is awaited or iterated.
 *
 * An unreadable record does not end a loop: it is skipped, is in `invalid` of its page, and goes to `onError`.
 *
 * A loop ends when the service reports no more records. It throws `invalid_response` if there are more, but no new cursor:
 * then the records so far are incomplete.
 */
export type List<T> = Promise<Page<T>> & AsyncIterable<T>;

type RecordOf<Op extends Operation> = ResponseOf<Op> extends { data: readonly (infer T)[] } ? T : never;
/** The endpoints that return pages. */
type ListOperation = { [Op in Operation]: RecordOf<Op> extends never ? never : Op }[Operation];

/** Creates the list method of a resource; `options` apply to each page. */
export function createListMethod<Op extends ListOperation>(
  call: Call,
  operation: Op,
): (query?: QueryOf<Op>, options?: CallOptions) => List<RecordOf<Op>> {
  return (query, options) => {
    const fixed = { query: copyQuery(query), options: options && { ...options } };
    const retrieve = async (cursor?: string): Promise<Page<RecordOf<Op>>> => {
      const pageQuery =
        cursor === undefined ? fixed.query : ({ ...(fixed.query as object), cursor } as QueryOf<Op>);
      const page = (await call(operation, { query: pageQuery }, fixed.options)) as Page<RecordOf<Op>>;
      return { ...page, cursor: page.cursor || undefined };
    };
    const first = retrieve();
    // An unused list must not cause an unhandled rejection; awaiting it still throws the failure.
    first.catch(() => {});
    const iterate = async function* (): AsyncGenerator<RecordOf<Op>, void, undefined> {
      const usedCursors = new Set([(fixed.query as { cursor?: string } | undefined)?.cursor]);
      for (let page = await first; ; ) {
        for (const record of page.data) {
          if (options?.signal?.aborted) throw abortedError(operation, options.signal.reason);
          yield record;
        }
        const { hasMore, cursor } = page;
        if (!hasMore) return;
        if (cursor === undefined || usedCursors.has(cursor)) throw paginationError(operation, cursor);
        usedCursors.add(cursor);
        page = await retrieve(cursor);
      }
    };
    return Object.assign(first, { [Symbol.asyncIterator]: iterate });
  };
}

/** Copies the query, so that later changes do not affect later pages. Filters nest one level deep. */
function copyQuery<Query>(query: Query): Query {
  if (!isPlainObject(query)) return query;
  const copies = Object.entries(query).map(([name, value]) => {
    if (Array.isArray(value)) return [name, [...value]];
    return [name, isPlainObject(value) ? { ...value } : value];
  });
  return Object.fromEntries(copies) as Query;
}

function paginationError(operation: Operation, cursor: string | undefined): PaymentsError {
  const fault = cursor === undefined ? 'no cursor' : 'a cursor that was used before';
  const message = `The response to ${operation} has hasMore, but ${fault}; the list is incomplete.`;
  return new PaymentsError('invalid_response', message, { operation, params: ['cursor'] });
}
