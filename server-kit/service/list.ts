import * as v from 'valibot';
import type { CallOptions } from '../core/call.ts';
import type { PaymentsClient } from '../core/client.ts';
import { readRecord } from '../core/endpoints.ts';
import { PaymentsError } from '../core/errors.ts';
import { isPlainObject, lenient } from '../core/fields.ts';
import { parseOrThrow, wholeNumber } from '../core/options.ts';
import { defaultServiceDialect, type ListParameters, type ServiceDialect } from './dialect.ts';
import { atLeastOneField, type DocumentedEndpoint } from './fields.ts';
import { type Nested, toSearchParams } from './list-query.ts';

/** The most records in a page (interface, section 8). */
const maxRecords = 100;

const UnixSeconds = v.pipe(
  v.number(),
  v.safeInteger('must be whole UNIX seconds'),
  v.minValue(1, 'must be above 0'),
);

/** The filters of every list (interface, sections 4.2, 4.9, 4.11 and 8). */
export const listFields = {
  /** The most records in one page: 1 to 100. */
  limit: v.optional(wholeNumber(1, maxRecords)),
  /** Where to continue: the `cursor` of the previous page. */
  cursor: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty'))),
  /** Bounds of the creation time, in UNIX seconds. */
  createdAt: v.optional(
    v.pipe(
      v.strictObject({
        gte: v.optional(UnixSeconds),
        lte: v.optional(UnixSeconds),
        gt: v.optional(UnixSeconds),
        lt: v.optional(UnixSeconds),
      }),
      // A Date or an array would pass as an object without bounds, and the list would be unfiltered.
      atLeastOneField('must have gte, lte, gt or lt'),
    ),
  ),
};

/** One value, or several of which a record must have any. */
export const oneOrMoreOf = <const Words extends readonly [string, ...string[]]>(words: Words) => {
  const message = `must be one of ${words.join(', ')}`;
  return v.optional(
    v.union(
      [v.picklist(words, message), v.pipe(v.array(v.picklist(words, message)), v.minLength(1))],
      message,
    ),
  );
};

/** An endpoint that lists records: `response` is the schema of one of them. */
export type ListEndpoint = DocumentedEndpoint & {
  /** The filters under our names; the dialect has the service's. */
  query: v.GenericSchema;
};

/** Interface, section 2.11: one page of a list, whose records are read one by one, so that an invalid one does not lose the others. */
const Envelope = v.looseObject({
  hasMore: v.boolean(),
  cursor: lenient(v.string()),
  data: v.pipe(v.array(v.unknown()), v.maxLength(maxRecords, `must have at most ${maxRecords} records`)),
});

/** One page of a list. */
export type Page<T> = {
  /** The records that could be read. */
  data: T[];
  /** One `invalid_response` for each record that could not be read; its `params` are the index and the field, such as `data.3.amount`. */
  invalid: readonly PaymentsError[];
  /** Whether there are more records. */
  hasMore: boolean;
  /** Where the next page begins; pass it as `cursor`. */
  cursor: string | undefined;
};

/**
 * A list of the service. Awaiting it resolves with the first page; `for await` iterates over the records of all pages and
 * requests each page when it gets there. A failure is thrown where the list is awaited or iterated. An unreadable record does not end a
 * loop: it is skipped, and is in `invalid` of its page.
 *
 * A loop ends when the service reports no more records. It throws `invalid_response` if there are more, but no new cursor:
 * then the records so far are incomplete.
 */
export type List<T> = Promise<Page<T>> & AsyncIterable<T>;

type QueryOf<E extends ListEndpoint> = v.InferInput<E['query']>;

/** Lists the records of an endpoint; `of` applies to each page. */
export function listRecords<E extends ListEndpoint>(
  client: PaymentsClient,
  endpoint: E,
  query?: QueryOf<E>,
  of?: CallOptions,
): List<v.InferOutput<E['response']>> {
  // A copy, so that later changes do not affect later pages.
  const copy = structuredClone(query) as { cursor?: string } | undefined;
  const { operation } = endpoint;
  const retrieve = async (cursor?: string) => {
    if (query !== undefined && !isPlainObject(query))
      throw refusal(operation, 'query: must be a plain object', ['query']);
    return retrievePage(client, endpoint, cursor === undefined ? copy : { ...copy, cursor }, of);
  };
  const first = retrieve();
  // An unused list must not cause an unhandled rejection; awaiting it still throws the failure.
  first.catch(() => {});
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      const usedCursors = new Set([copy?.cursor]);
      for (let page = await first; ; ) {
        for (const record of page.data) {
          if (of?.signal?.aborted) {
            const message = `${operation} was aborted by its caller.`;
            throw new PaymentsError('aborted', message, { operation, cause: of.signal.reason });
          }
          yield record;
        }
        const { hasMore, cursor } = page;
        if (!hasMore) return;
        if (cursor === undefined || usedCursors.has(cursor)) throw paginationError(operation, cursor);
        usedCursors.add(cursor);
        page = await retrieve(cursor);
      }
    },
  });
}

async function retrievePage<E extends ListEndpoint>(
  client: PaymentsClient,
  endpoint: E,
  query: QueryOf<E>,
  of?: CallOptions,
): Promise<Page<v.InferOutput<E['response']>>> {
  const { operation } = endpoint;
  const names = listParametersOf(client);
  const checked = parseOrThrow(endpoint.query, query ?? {}, 'query', (text, params) =>
    refusal(operation, text, params),
  );
  const search = String(toSearchParams(checked as Nested, names));
  const envelope = { ...endpoint, response: Envelope, amounts: {}, maxResponseBytes: 10_000_000 };
  const page = await client.call(envelope, { search: search && `?${search}` }, of);
  const data: v.InferOutput<E['response']>[] = [];
  const invalid: PaymentsError[] = [];
  for (const [index, record] of page.data.entries()) {
    try {
      data.push(readRecord(client, endpoint, record));
    } catch (error) {
      // A record of the other mode shows wrong keys.
      if (!(error instanceof PaymentsError) || error.code !== 'invalid_response') throw error;
      const params = error.params.map((param) => `data.${index}.${param}`);
      const message = `${error.message.replace(/\.$/, '')} (record ${index} of the page).`;
      invalid.push(
        new PaymentsError(error.code, message, { operation, status: 200, params, cause: error.cause }),
      );
    }
  }
  return { ...page, data, invalid, cursor: page.cursor || undefined };
}

const refusal = (operation: string, text: string, params: readonly string[]): PaymentsError =>
  new PaymentsError('invalid_request', `${operation} was not sent: ${text}.`, { operation, params });

const listParametersOf = ({ dialect }: PaymentsClient): ListParameters =>
  (dialect as Partial<ServiceDialect>).listParameters ?? defaultServiceDialect.listParameters;

function paginationError(operation: string, cursor: string | undefined): PaymentsError {
  const fault = cursor === undefined ? 'no cursor' : 'a cursor that was used before';
  const message = `The response to ${operation} has hasMore, but ${fault}; the list is incomplete.`;
  return new PaymentsError('invalid_response', message, { operation, params: ['cursor'] });
}
