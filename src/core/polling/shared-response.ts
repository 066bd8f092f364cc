import * as v from 'valibot';
import { PaymentView } from '../../contract/index.ts';
import type { Answer } from '../session/session-client.ts';

/** What tabs tell each other of an answer: all but the secret, which no tab needs from another. */
const SharedAnswer = v.object({
  view: v.optional(PaymentView),
  etag: v.optional(v.string()),
  serviceTimeMs: v.optional(v.number()),
  /** How long it takes until there is word again, in milliseconds, if all goes well. */
  quietMs: v.number(),
});
export type SharedAnswer = v.InferOutput<typeof SharedAnswer>;

export function toShared(answer: Answer<PaymentView | undefined>, quietMs: number): SharedAnswer {
  const { value, etag, serviceTimeMs } = answer;
  return {
    quietMs,
    ...(value && { view: value }),
    ...(etag !== undefined && { etag }),
    ...(serviceTimeMs !== undefined && { serviceTimeMs }),
  };
}

/** The answer that another tab told of; `undefined` for what is none, or is about another payment. */
export function readShared(
  message: unknown,
  reference: string,
): { answer: Answer<PaymentView | undefined>; quietMs: number } | undefined {
  const { success, output } = v.safeParse(SharedAnswer, message);
  if (!success || (output.view && output.view.reference !== reference)) return undefined;
  const { view, etag, serviceTimeMs, quietMs } = output as SharedAnswer;
  return { answer: { value: view, etag, serviceTimeMs, nextPollMs: undefined }, quietMs };
}
