import { useCheckout } from './use-checkout.ts';

/** Returns the hint on what to do when an action may not have worked, and a function to set it until the screen changes. */
export function useHint(): {
  readonly hint: string | undefined;
  readonly setHint: (text: string | undefined) => void;
} {
  const { viewState, state } = useCheckout();
  const { hint } = viewState;
  return {
    hint: hint.value?.screen === state.value.name ? hint.value.text : undefined,
    setHint(text) {
      hint.value = text === undefined ? undefined : { text, screen: state.peek().name };
    },
  };
}
