import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { usePanel } from '../model/panel-context.ts';
import type { Polled } from '../model/polled.ts';
import { hrefOf, type SectionId, sectionTitles } from '../model/route.ts';
import { useKeepInView } from './keep-in-view.ts';
import { Section } from './section.tsx';

/** How many more records each press of "Show more" shows. */
const pageSize = 100;

export type RecordListProps<T> = {
  section: SectionId;
  intro: string;
  polled: Polled<readonly T[]>;
  /** The id in the record's address. */
  idOf: (record: T) => string;
  /** What the filter searches, and the hint that names it. */
  filterFields: (record: T) => readonly unknown[];
  filterBy: string;
  /** Further actions for the list. */
  listActions?: ComponentChildren;
  /** Forms above the list. */
  children?: ComponentChildren;
  /** The line that opens and closes the record. */
  row: (record: T) => ComponentChildren;
  /** The buttons of the line. */
  rowActions?: (record: T) => ComponentChildren;
  details: (record: T) => ComponentChildren;
  /** How to create the first record. */
  empty: ComponentChildren;
};

/** A section that lists records, newest first, with a filter. The record in the page's address is open. */
export function RecordList<T>(props: RecordListProps<T>) {
  const { section, intro, children } = props;
  return (
    <Section id={section} intro={intro}>
      {children}
      <Records {...props} />
    </Section>
  );
}

function Records<T>(props: RecordListProps<T>) {
  const { section, polled, idOf, filterFields, filterBy, listActions, empty } = props;
  const { route, filterOf } = usePanel();
  const count = useSignal(pageSize);
  const filter = filterOf(section);
  const records = polled.latest.value;
  if (records === undefined) return <Waiting problem={polled.problem.value} />;
  const openId = route.value.section === section ? route.value.id : undefined;
  const found = records.filter(matcher(filter.value, filterFields));
  const openIndex = found.findIndex((record) => idOf(record) === openId);
  const shown = found.slice(0, Math.max(count.value, openIndex + 1));
  return (
    <>
      <div class="list-head">
        {records.length > 0 && (
          <Filter section={section} by={filterBy} found={found.length} all={records.length} />
        )}
        {listActions}
      </div>
      {records.length === 0 && <div class="empty">{empty}</div>}
      {openId !== undefined && !records.some((record) => idOf(record) === openId) && (
        <p class="empty">
          There is no <code>{openId}</code> here. <a href={hrefOf(section)}>Close</a>
        </p>
      )}
      <ul class="records" aria-label={sectionTitles[section]}>
        {shown.map((record) => (
          <RecordRow key={idOf(record)} {...props} record={record} isOpen={idOf(record) === openId} />
        ))}
      </ul>
      {shown.length < found.length && (
        <button
          type="button"
          class="plain"
          data-action="show-more"
          onClick={() => {
            count.value = shown.length + pageSize;
          }}
        >
          Show more: {found.length - shown.length} older ones
        </button>
      )}
    </>
  );
}

/** Matches records whose fields contain every word, in any order. */
function matcher<T>(filter: string, fieldsOf: (record: T) => readonly unknown[]): (record: T) => boolean {
  const words = filter.toLowerCase().split(/\s+/);
  return (record) => {
    const text = fieldsOf(record).join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

const Waiting = ({ problem }: { problem: string | undefined }) => (
  <p class="empty" role={problem === undefined ? undefined : 'alert'}>
    {problem ?? 'Loading…'}
  </p>
);

function Filter({ section, by, found, all }: { section: SectionId; by: string; found: number; all: number }) {
  const filter = usePanel().filterOf(section);
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>
        Filter by {by} <kbd>/</kbd>
      </label>
      <input
        id={id}
        type="search"
        data-field="filter"
        autocomplete="off"
        aria-keyshortcuts="/"
        value={filter.value}
        onInput={(event) => {
          filter.value = event.currentTarget.value;
        }}
      />
      <p class="quiet" role="status">
        {filter.value.trim() === '' ? '' : `${found} of ${all}`}
      </p>
    </div>
  );
}

type RecordRowProps<T> = RecordListProps<T> & { record: T; isOpen: boolean };

function RecordRow<T>({ section, idOf, row, rowActions, details, record, isOpen }: RecordRowProps<T>) {
  const item = useRef<HTMLLIElement>(null);
  const line = useRef<HTMLAnchorElement>(null);
  const id = idOf(record);
  const detailsId = useId();
  useKeepInView(item, line, isOpen);
  return (
    <li class="record" ref={item} data-id={id} data-open={isOpen}>
      <div class="record-head">
        <a
          ref={line}
          class="record-link"
          href={isOpen ? hrefOf(section) : hrefOf(section, id)}
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailsId : undefined}
        >
          {row(record)}
        </a>
        {rowActions?.(record)}
      </div>
      {isOpen && (
        <div class="record-details" id={detailsId}>
          {details(record)}
        </div>
      )}
    </li>
  );
}
