import { stateOfPayment } from '../../core/machine/state.ts';
import { orderStorage } from '../../core/session/order-storage.ts';
import { createSessionClient } from '../../core/session/session-client.ts';
import type { ValidOptions } from '../../options/validate-options.ts';
import { requestEnvironment as environment } from '../../widget/dom/browser-environment.ts';
import { preferredLanguagesOf } from '../../widget/dom/page.ts';
import { labelButton } from '../../widget/modal/closed-checkout.ts';
import { createStaticModel } from '../../widget/model/static-model.ts';
import { resolveOptions } from '../options/resolve-options.ts';

/**
 * Labels a button by the stored payment of its order, once the server has confirmed that payment, until the button is pressed. Never
 * creates a payment.
 *
 * @param pressed aborts when the button is pressed: the checkout that it opens labels it when it is closed
 * @throws {CheckoutError} `session_unknown` when the order has none of the stored payments; the button keeps its label
 */
export async function labelStored(
  button: HTMLElement,
  options: ValidOptions,
  pressed: AbortSignal,
): Promise<void> {
  const order = { ...resolveOptions(options), environment };
  const stored = orderStorage(order).listOrder();
  if (stored.length === 0 || order.session || pressed.aborted) return;
  const request = { body: order.body, stored, preference: 'existing', signal: pressed } as const;
  const { value } = await createSessionClient(order).create(request);
  const { clientSecret: _, ...payment } = value;
  const state = stateOfPayment(payment, 'ok');
  const model = await createStaticModel(state, order, preferredLanguagesOf(button));
  if (!pressed.aborted) pressed.addEventListener('abort', labelButton(button, model));
}
