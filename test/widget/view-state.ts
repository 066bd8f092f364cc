import { renderHook } from '@testing-library/preact';
import type { CheckoutModel } from '../../src/widget/model/checkout-model.ts';
import { useViewState } from '../../src/widget/model/view-state.ts';

/** Runs the view state of a model, as a shown checkout does, until `stop` is called. */
export function createViewState(model: CheckoutModel, navigate: (url: string) => void = () => {}) {
  const { result, unmount } = renderHook(() => useViewState(model, navigate));
  return { ...result.current, stop: unmount };
}
