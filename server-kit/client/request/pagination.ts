import type { Operation, QueryOf, ResponseOf } from '../../api/endpoints.ts';
import { isPlainObject } from '../../api/fields.ts';
import { abortedError, PaymentsError } from '../../errors/payments-error.ts';
import type { Call } from './call.ts';
import type { CallOptions } from './call-options.ts';

/** One page of a list (interface, section 2.11). */
export type Page<T> = {
  /** The records that could be read. */
  data: T[];
  /**
   * One `invalid_response` for each record of the page that could not be read; `params` names its place and field, such as
   * `data.3.amount`. The client's `onError` hears of each, too. Empty where all could be read.
   */
  invalid: readonly PaymentsError[];
  /** Whether there are further records. */
  hasMore: boolean;
  /** Where the next page begins: pass it as `cursor`. */
  cursor: string | undefined;
};

/**
 * A list of the service. Awaiting it gives its first page; `for await` walks over the records of all pages, and asks for
 * a page when it gets there. Any number of loops may walk over it at once: each has a place of its own, and all share the
 * first page. A failure is thrown where the list is awaited or walked over, and nowhere else.
 *
 * A record that cannot be read does not end a loop, which goes on over the others: it is in `invalid` of its page, and `onError`
 * hears of it.
 *
 * A loop ends where the service says that there is no more. It throws `invalid_response` where there is more, but no cursor that
 * this loop has not used before: what came until then is not all.
 */
export type List<T> = Promise<Page<T>> & AsyncIterable<T>;

type RecordOf<Op extends Operation> = ResponseOf<Op> extends { data: readonly (infer T)[] } ? T : never;
/** The endpoints that answer with pages. */
type ListOperation = { [Op in Operation]: RecordOf<Op> extends never ? never : Op }[Operation];

/** Makes the method of a resource that lists; `options` hold for each page. */
export function createListMethod<Op extends ListOperation>(
  call: Call,
  operation: Op,
): (query?: QueryOf<Op>, options?: CallOptions) => List<RecordOf<Op>> {
  return (query, options) => {
    const kept = { query: copyQuery(query), options: options && { ...options } };
    const retrieve = async (cursor?: string): Promise<Page<RecordOf<Op>>> => {
      const asked =
        cursor === undefined ? kept.query : ({ ...(kept.query as object), cursor } as QueryOf<Op>);
      const page = (await call(operation, { query: asked }, kept.options)) as Page<RecordOf<Op>>;
      return { ...page, cursor: page.cursor || undefined };
    };
    const first = retrieve();
    // A list that nobody looks at must not end the process. Whoever does look still gets the failure.
    first.catch(() => {});
    const walk = async function* (): AsyncGenerator<RecordOf<Op>, void, undefined> {
      const asked = new Set([(kept.query as { cursor?: string } | undefined)?.cursor]);
      for (let page = await first; ; ) {
        for (const record of page.data) {
          if (options?.signal?.aborted) throw abortedError(operation, options.signal.reason);
          yield record;
        }
        const { hasMore, cursor } = page;
        if (!hasMore) return;
        if (cursor === undefined || asked.has(cursor)) throw paginationError(operation, cursor);
        asked.add(cursor);
        page = await retrieve(cursor);
      }
    };
    return Object.assign(first, { [Symbol.asyncIterator]: walk });
  };
}

/** What the caller changes later must not change the pages to come. Filters nest one level deep. */
function copyQuery<Query>(query: Query): Query {
  if (!isPlainObject(query)) return query;
  const copies = Object.entries(query).map(([name, value]) => {
    if (Array.isArray(value)) return [name, [...value]];
    return [name, isPlainObject(value) ? { ...value } : value];
  });
  return Object.fromEntries(copies) as Query;
}

function paginationError(operation: Operation, cursor: string | undefined): PaymentsError {
  const said = cursor === undefined ? 'no cursor' : 'a cursor that it gave before';
  const message = `${operation} was answered with hasMore and ${said}; the records that came are not all.`;
  return new PaymentsError('invalid_response', message, { operation, params: ['cursor'] });
}
