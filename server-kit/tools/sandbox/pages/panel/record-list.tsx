import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { usePanel } from './model.ts';
import { hrefOf, type SectionId, sectionTitles } from './route.ts';

/** How many records are shown, and all newer than the open one. */
const maxShown = 100;

type RecordListProps<T> = {
  section: SectionId;
  intro: string;
  records: ReadonlySignal<readonly T[] | undefined>;
  /** The id in the record's address. */
  idOf: (record: T) => string;
  /** What the filter searches, and the hint that names it. */
  filterFields: (record: T) => readonly unknown[];
  filterBy: string;
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
  const { section, intro, records: latest, idOf, filterFields, children, empty } = props;
  const { route, problem } = usePanel();
  const filter = useSignal('');
  const records = latest.value ?? [];
  const openId = route.value.section === section ? route.value.id : undefined;
  const found = records.filter(matcher(filter.value, filterFields));
  const openIndex = found.findIndex((record) => idOf(record) === openId);
  const shown = found.slice(0, Math.max(maxShown, openIndex + 1));
  return (
    <section class="section" aria-labelledby="section-title">
      <header>
        <h2 id="section-title">{sectionTitles[section]}</h2>
        <p class="quiet">{intro}</p>
      </header>
      {children}
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {records.length > 0 && (
        <Filter value={filter} by={props.filterBy} found={found.length} all={records.length} />
      )}
      {latest.value === undefined && <p class="empty">Loading…</p>}
      {latest.value?.length === 0 && <div class="empty">{empty}</div>}
      {latest.value && openId !== undefined && !records.some((record) => idOf(record) === openId) && (
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
        <p class="quiet">{found.length - shown.length} older ones: filter to find them.</p>
      )}
    </section>
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

type FilterProps = { value: { value: string }; by: string; found: number; all: number };

function Filter({ value, by, found, all }: FilterProps) {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>Filter by {by}</label>
      <input
        id={id}
        type="search"
        data-field="filter"
        autocomplete="off"
        value={value.value}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
      <p class="quiet" role="status">
        {value.value.trim() === '' ? '' : `${found} of ${all}`}
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
  useEffect(() => {
    if (!isOpen) return;
    item.current?.scrollIntoView({ block: 'nearest' });
    // A record can be taller than the window.
    line.current?.scrollIntoView({ block: 'nearest' });
    // The link that led here is gone.
    if (document.activeElement === document.body) line.current?.focus();
  }, [isOpen]);
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
        {rowActions && <div class="record-beside">{rowActions(record)}</div>}
      </div>
      {isOpen && (
        <div class="record-details" id={detailsId}>
          {details(record)}
        </div>
      )}
    </li>
  );
}
