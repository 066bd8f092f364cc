import type { ComponentChildren } from 'preact';
import { type SectionId, sectionTitles } from '../model/route.ts';

/** A section of the panel with its heading and one line of introduction. */
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

/** A titled part of a record's details. */
export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** A form that is collapsed until it is needed. */
export function CollapsibleForm({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <details class="create">
      <summary>{title}</summary>
      {children}
    </details>
  );
}
