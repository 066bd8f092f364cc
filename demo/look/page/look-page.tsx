import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { writeLook } from '../model/look.ts';
import type { LookModel } from '../model/look-model.ts';
import type { PreviewFacts } from '../model/preview-facts.ts';
import { Code } from './code.tsx';
import { Controls } from './controls.tsx';
import { Preview } from './preview.tsx';

/** The page on which visitors change the look of the checkout. */
export function LookPage({ model }: { model: LookModel }) {
  const facts = useSignal<PreviewFacts | undefined>(undefined);
  useQuery(writeLook(model.look.value));
  return (
    <>
      <div class="intro">
        <h1>Change the look</h1>
        <p>
          Make the checkout look like your shop, and copy the code. The address of this page keeps the look.
        </p>
      </div>
      <Preview model={model} facts={facts} />
      <Controls model={model} facts={facts.value} />
      <Code model={model} />
    </>
  );
}

/** Keeps the look in the page's address. */
function useQuery(query: string): void {
  useEffect(() => {
    // Browsers refuse more than about a hundred changes in half a minute; a colour picker makes that many.
    const timer = setTimeout(() => history.replaceState(null, '', `${location.pathname}${query}`), 300);
    return () => clearTimeout(timer);
  }, [query]);
}
