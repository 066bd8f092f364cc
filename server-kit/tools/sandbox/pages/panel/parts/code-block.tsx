import { formatJson } from '../../format/text.ts';
import { CopyButton } from './copy-button.tsx';

export type CodeBlockProps = {
  /** The heading, also used for the copy button: `body`. */
  name: string;
  text: string;
  /** Shown indented, copied unchanged. */
  isJson?: boolean;
};

/** A text for machines, with a button that copies it. */
export function CodeBlock({ name, text, isJson = false }: CodeBlockProps) {
  return (
    <figure class="code">
      <figcaption>
        {name}
        <CopyButton label={name} value={text} />
      </figcaption>
      <pre>{isJson ? formatJson(text) : text}</pre>
    </figure>
  );
}

/** A record as the sandbox returned it. */
export function RawJson({ record }: { record: object }) {
  return (
    <details class="raw">
      <summary>Raw JSON</summary>
      <CodeBlock name="record" text={JSON.stringify(record)} isJson />
    </details>
  );
}
