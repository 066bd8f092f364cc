import type { Payout, PayoutListQuery } from '../api/payout.ts';
import type { CallOptions } from '../options/call-options.ts';
import type { Call } from '../request/call.ts';
import { createListMethod, type List } from '../request/pagination.ts';

/** Payouts from the merchant's balance (interface, sections 4.9 and 4.10). */
export type PayoutsResource = {
  /** 4.9: lists payouts, newest first. Bounds of `createdAt` are UNIX seconds. */
  list: (query?: PayoutListQuery, options?: CallOptions) => List<Payout>;
  /** 4.10: retrieves a payout by its id. */
  retrieve: (id: string, options?: CallOptions) => Promise<Payout>;
};

export function createPayoutsResource(call: Call): PayoutsResource {
  return {
    list: createListMethod(call, 'payouts.list'),
    retrieve: (id, options) => call('payouts.retrieve', { path: { id } }, options),
  };
}
