import { effect, type Signal, signal } from '@preact/signals';
import { h, render } from 'preact';
import { type CheckoutModel, initialState } from '../model/index.ts';
import css from './checkout.css?inline';
import { Checkout } from './checkout.tsx';
import type { Frame } from './frame.ts';
import type { Copy, Qr, Screen } from './screen.ts';
import { addStyles } from './styles.ts';

export type Shown = {
  /**
   * Calls `go`, after a word of warning while money may be on its way; not while it is being confirmed. Where that is not
   * loaded yet it waits for it, once, and not for long.
   */
  readonly leave: (go: () => void) => void;
  /** Ends it, and empties the root. */
  readonly takeAway: () => void;
};

type MoreModule = typeof import('./more.ts');
type LoadedMore = MoreModule & { readonly later: ReturnType<MoreModule['createLater']> };

/** When what did not come is asked for again, at first; and how long the shopper is held back for it. */
const reloadMs = 3000;

/** When what has neither come nor failed is late. */
const lateMs = 8000;

/**
 * Shows a checkout in a shadow root and keeps it up to date until it is taken away. The host carries the state as
 * `data-state`. What the first screen does not need is loaded after it stands; when that fails, every state still has its
 * line of text, says so, and asks again. What a server has rendered there is taken over.
 *
 * @param frame what stands around it, in the same shadow root
 */
export function showCheckout(model: CheckoutModel, root: ShadowRoot, frame?: Frame): Shown {
  const copied = signal<Copy | undefined>(undefined);
  const qr = signal<Qr>('hidden');
  const more = signal<LoadedMore | undefined>(undefined);
  const failures = signal(0);
  const hold = createHold(model);
  const into = frame?.body ?? root;
  const rendered = root.querySelector('[data-rendered]');
  const place = openPlace(root, into, !rendered, frame?.css);

  // The one reader of all that changes: what is drawn are plain values.
  const stopRendering = effect(() => {
    const speech = model.speech.value;
    // Without a word there is nothing to press, and no label to read: it waits.
    const first: Screen = {
      model,
      speech,
      frame,
      settings: model.settings.value,
      state: speech.isSilent ? initialState : model.state.value,
      copied: copied.value,
      qr: qr.value,
      more: speech.isSilent ? undefined : more.value,
      isMoreLate: failures.value > 0,
      setCopied: setterOf<Copy | undefined>(copied),
      setQr: setterOf(qr),
    };
    const screen = more.value?.later.complete(first) ?? first;
    // What the server has drawn stays until the same can be drawn here, with all that belongs to it.
    if (rendered && (screen.state.name === 'loading' || !(screen.more || screen.isMoreLate))) return;
    root.host.setAttribute('data-state', screen.state.name);
    const focused = root.activeElement;
    rendered?.remove();
    render(h(Checkout, screen), place);
    frame?.update(screen);
    more.peek()?.later.keepFocus(focused);
  });

  const stopLoading = loadMore(model, failures, (module) => {
    const go = hold.end();
    if (!module) return go?.();
    addStyles(root, module.css);
    model.learn(module.words);
    const later = module.createLater(model, place);
    more.value = { ...module, later };
    if (go) later.leave(go);
  });

  return {
    leave(go) {
      const later = more.peek()?.later;
      if (later) return later.leave(go);
      const held = hold.end();
      if (held || failures.peek() > 0 || model.state.peek().name === 'loading') return (held ?? go)();
      hold.start(go);
    },
    takeAway() {
      hold.end();
      stopLoading();
      stopRendering();
      more.peek()?.later.stop();
      render(null, place);
      into.textContent = '';
      root.adoptedStyleSheets = [];
      root.host.removeAttribute('data-state');
    },
  };
}

const setterOf =
  <Value>(of: Signal<Value>) =>
  (next: Value): void => {
    of.value = next;
  };

/**
 * Holds back, once and not for long, a shopper who wants to leave, because what has to be asked first is on its way. Nobody
 * who insists is held back, and nobody for a file that did not come. `end` gives what was wanted, until that is done.
 */
function createHold({ clock }: CheckoutModel) {
  let wanted: (() => void) | undefined;
  let cancel = (): void => {};
  return {
    start(go: () => void): void {
      wanted = () => {
        wanted = undefined;
        go();
      };
      cancel = clock.setTimer(wanted, reloadMs);
    },
    end(): (() => void) | undefined {
      cancel();
      return wanted;
    },
  };
}

/**
 * Loads what comes later once something is known, until it is there; `take` gets it, or nothing each time that it does not come.
 * Returns a function that ends it.
 */
function loadMore(
  model: CheckoutModel,
  failures: Signal<number>,
  take: (module?: MoreModule) => void,
): () => void {
  let isLoading = false;
  let isStopped = false;
  let cancel = (): void => {};
  const load = (): void => {
    isLoading = true;
    const fail = (): void => {
      failures.value += 1;
      take();
    };
    // Then it says so, and goes on waiting: the same file would not come any sooner.
    cancel = model.clock.setTimer(fail, lateMs);
    import('./more.ts').then(
      (module) => {
        cancel();
        if (!isStopped) take(module);
      },
      () => {
        cancel();
        if (isStopped) return;
        cancel = model.clock.setTimer(load, reloadMs * (failures.peek() + 1));
        fail();
      },
    );
  };
  const stopLooking = effect(() => {
    const state = model.state.value;
    const isQuick = state.name === 'loading' && state.failures === 0 && !state.isOffline;
    if (!isLoading && !isQuick) load();
  });
  return () => {
    isStopped = true;
    cancel();
    stopLooking();
  };
}

function openPlace(root: ShadowRoot, into: Node, isEmptied: boolean, frameCss?: string): HTMLElement {
  if (isEmptied) into.textContent = '';
  addStyles(root, css);
  if (frameCss) addStyles(root, frameCss);
  return into.appendChild(document.createElement('div'));
}
