import { computed } from '@preact/signals';
import { initialState } from '../core/machine/state.ts';
import type { Translator } from '../i18n/translator.ts';
import type { CheckoutContext, PageActions } from './hooks/use-checkout.ts';
import type { CheckoutModel } from './model/checkout-model.ts';
import { createViewState } from './model/view-state.ts';

export type ContextOptions = {
  /** The reader's languages and time zone. */
  readonly reader?: Pick<Translator, 'preferredLanguages' | 'timeZone'>;
  readonly page?: PageActions;
};

/** Creates the context of a checkout and starts its view state, which `viewState.stop` stops. */
export function createCheckoutContext(
  model: CheckoutModel,
  { reader, page = { go() {} } }: ContextOptions = {},
): CheckoutContext {
  return {
    model,
    viewState: createViewState(model, page.go),
    // Without messages no button and no field would have a label.
    state: computed(() => (model.translator.value.isLoading ? initialState : model.state.value)),
    translator: computed(() => ({ ...model.translator.value, ...reader })),
    page,
  };
}
