import { type Signal, useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type ResolvedOptions, resolveOptions } from '../../../src/entry/resolve-options.ts';
import { validateOptions } from '../../../src/options/options.ts';
import { showScreen } from '../../gallery/show-screen.ts';
import { previewScreens } from '../model/look.ts';
import type { LookModel } from '../model/look-model.ts';
import { type PreviewFacts, readPreviewFacts } from '../model/preview-facts.ts';

type CheckoutPreviewProps = { readonly model: LookModel; readonly facts: Signal<PreviewFacts | undefined> };

/** The part of a page that shows the checkout. */
export function CheckoutPreview({ model, facts }: CheckoutPreviewProps) {
  const area = useRef<HTMLDivElement>(null);
  const options = useComputed(() => resolveOptions(validateOptions(model.options.value))).value;
  const styles = JSON.stringify(options.variables);
  useCustomProperties(area, options.variables);
  const { root, problem } = useScreen(area, model.look.value.screen, options);

  useEffect(() => {
    // The colours of buttons change in a short transition.
    const timer = setTimeout(() => {
      if (root) facts.value = readPreviewFacts(root);
    }, settledMs);
    return () => clearTimeout(timer);
  }, [root, styles]);

  return (
    <>
      <div class="preview-area" ref={area} data-theme={options.theme} onClickCapture={stayOnPage} />
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

const settledMs = 250;

/** The links of the checkout lead to a shop that does not exist. */
function stayOnPage(event: Event): void {
  if (!event.composedPath().some((target) => target instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Sets custom properties on the element, so that colours change without a new checkout. */
function useCustomProperties(
  element: RefObject<HTMLElement | null>,
  variables: ResolvedOptions['variables'],
): void {
  useLayoutEffect(() => {
    const style = element.current?.style;
    for (const [name, value] of Object.entries(variables)) style?.setProperty(name, value);
    return () => {
      for (const name of Object.keys(variables)) style?.removeProperty(name);
    };
  }, [JSON.stringify(variables)]);
}

type ShownScreen = { readonly root: ShadowRoot | null; readonly problem: string };

/** Shows a screen in the element. The last one stays until the next is complete. */
function useScreen(
  element: RefObject<HTMLElement | null>,
  name: string,
  { theme, density, locale, text }: ResolvedOptions,
): ShownScreen {
  const shown = useSignal<ShownScreen>({ root: null, problem: '' });
  const removeShown = useRef((): void => {});
  useEffect(() => {
    let isCurrent = true;
    const screen = previewScreens.find((one) => one.name === name);
    if (!screen) return;
    const host = document.createElement('div');
    showScreen(host, screen, { theme, density, locale, text }).then(
      (remove) => {
        if (!isCurrent) return remove();
        element.current?.replaceChildren(host);
        removeShown.current();
        removeShown.current = remove;
        shown.value = { root: host.shadowRoot, problem: '' };
      },
      () => {
        if (isCurrent) shown.value = { ...shown.peek(), problem: loadFailed };
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [name, theme, density, locale, JSON.stringify(text)]);
  useEffect(() => () => removeShown.current(), []);
  return shown.value;
}

const loadFailed = 'The preview could not be loaded. Check your connection, and choose again.';
