import { CodeBlock } from '../parts/code-block.tsx';
import type { Diagnosis } from '../records.ts';

/** Why a signature was refused, step by step, for whoever writes a client. */
export function SignatureDiagnosis({ diagnosis: { received, expected, hints } }: { diagnosis: Diagnosis }) {
  const steps = [
    { name: 'canonical body', text: expected?.canonicalBody },
    { name: 'body hash', text: expected?.bodyHash },
    { name: 'text to sign', text: expected?.signedText },
    { name: 'expected signature', text: expected?.signature },
    { name: 'received signature', text: received.signature },
    { name: 'received timestamp', text: received.timestamp },
  ];
  return (
    <section class="part diagnosis">
      <h3>What is wrong with the signature</h3>
      {hints.length === 0 && <p>None of the usual mistakes makes it. Compare each step with yours.</p>}
      <ul class="hints">
        {hints.map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
      <details open={hints.length === 0}>
        <summary>Each step, as the sandbox makes it</summary>
        <div class="stack">
          {steps.map(({ name, text }) => (text ? <CodeBlock key={name} name={name} text={text} /> : null))}
        </div>
      </details>
    </section>
  );
}
