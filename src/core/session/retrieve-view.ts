import { PaymentView, routes, type Session } from '../../contract/index.ts';
import { type Answer, type Ask, readAs, refuse } from './session-client.ts';

export type Look = {
  /** The ETag of the view that is known already. */
  readonly etag: string | undefined;
  /** How long the server may hold the answer; 0 to be answered at once. */
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
};

/** Asks for the view of a payment; the value is undefined when nothing has changed. */
export function retrieveView(
  ask: Ask,
  { reference, clientSecret }: Pick<Session, 'reference' | 'clientSecret'>,
  { etag, waitSeconds, signal }: Look,
): Promise<Answer<PaymentView | undefined>> {
  const headers = {
    authorization: `Bearer ${clientSecret}`,
    ...(etag && { 'if-none-match': etag }),
    ...(waitSeconds && { prefer: `wait=${waitSeconds}` }),
  };
  return ask(routes.session(reference), { headers, waitSeconds, signal }, async (response) => {
    if (response.status === 304) return undefined;
    const view = await readAs(PaymentView, response);
    return view.reference === reference ? view : refuse('is about another payment');
  });
}
