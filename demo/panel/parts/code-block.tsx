import { formatJson } from '../model/format.ts';
import { CopyButton } from './copy-button.tsx';

export type CodeBlockProps = {
  /** What it is, for its heading and its button: `body`. */
  name: string;
  text: string;
  /** Shown with indents; copied as it is. */
  isJson?: boolean;
};

/** A text for machines, whole, and ready to copy. */
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

/** A record as the sandbox gives it. */
export function RawJson({ record }: { record: object }) {
  return (
    <details class="raw">
      <summary>Raw JSON</summary>
      <CodeBlock name="record" text={JSON.stringify(record)} isJson />
    </details>
  );
}
