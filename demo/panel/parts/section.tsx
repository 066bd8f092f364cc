import type { ComponentChildren } from 'preact';
import { type SectionId, sectionTitles } from '../model/route.ts';

/** A section of the panel: its heading, one line on what it is for, and what it holds. */
export function Section({
  id,
  intro,
  children,
}: {
  id: SectionId;
  intro: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="section" aria-labelledby="section-title">
      <header>
        <h2 id="section-title">{sectionTitles[id]}</h2>
        <p class="quiet">{intro}</p>
      </header>
      {children}
    </section>
  );
}

/** A form that is needed now and then. */
export function CollapsibleForm({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <details class="create">
      <summary>{title}</summary>
      {children}
    </details>
  );
}
