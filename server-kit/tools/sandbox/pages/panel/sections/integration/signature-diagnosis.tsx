import type { SignatureDiagnosis } from 'transfer-checkout/sandbox';
import { CodeBlock } from '../../parts/code-block.tsx';

/** Explains step by step why a signature was refused. */
export function DiagnosisDetails({
  diagnosis: { received, expected, hints },
}: {
  diagnosis: SignatureDiagnosis;
}) {
  const steps = [
    { name: 'canonicalBody', text: expected?.canonicalBody },
    { name: 'bodyHash', text: expected?.bodyHash },
    { name: 'signedText', text: expected?.signedText },
    { name: 'signature expected', text: expected?.signature },
    { name: 'signature received', text: received.signature },
    { name: 'timestamp received', text: received.timestamp },
  ];
  return (
    <section class="part diagnosis">
      <h3>What is wrong with the signature</h3>
      <ul class="hints">
        {hints.map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
      <details open>
        <summary>Each step, as the sandbox computes it</summary>
        <div class="stack">
          {steps.map(({ name, text }) => (text ? <CodeBlock key={name} name={name} text={text} /> : null))}
        </div>
      </details>
    </section>
  );
}
