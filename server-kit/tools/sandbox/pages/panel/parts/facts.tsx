import type { ComponentChildren } from 'preact';

export type Fact = {
  name: string;
  value: ComponentChildren;
  /** For tests. */
  field?: string;
};

/** The fields of a record; empty ones are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(({ value }) => value !== undefined && value !== null && value !== '' && value !== false)
        .map(({ name, value, field }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-field={field}>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
