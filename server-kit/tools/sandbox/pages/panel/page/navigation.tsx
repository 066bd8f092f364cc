import { useEffect, useRef } from 'preact/hooks';
import { usePanel } from '../model/panel-context.ts';
import { hrefOf, type SectionId, sectionTitles } from '../model/route.ts';

/** Links to the sections, each with its number of records. */
export function Navigation() {
  const { route, connection } = usePanel();
  const list = useRef<HTMLUListElement>(null);
  const { section: current } = route.value;
  const isLive = connection.value === 'live';
  useEffect(() => {
    // On a phone the links are one scrolling line, which grows with the counts.
    const link = list.current?.querySelector<HTMLElement>('[aria-current]');
    // Not `scrollIntoView`, which would also scroll the page.
    list.current?.scrollTo({ left: link ? link.offsetLeft - (innerWidth - link.offsetWidth) / 2 : 0 });
  }, [current, isLive]);
  return (
    <nav aria-label="Sections">
      <ul ref={list}>
        {(Object.keys(sectionTitles) as SectionId[]).map((section) => (
          <li key={section}>
            <a href={hrefOf(section)} aria-current={section === current ? 'page' : undefined}>
              {sectionTitles[section]} <Count section={section} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ section }: { section: SectionId }) {
  const { data } = usePanel();
  if (section === 'credentials') return null;
  const count = data[section].latest.value?.length;
  return count === undefined ? null : <span class="count">{count}</span>;
}
