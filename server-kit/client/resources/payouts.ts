import type { Payout, PayoutListQuery } from '../../api/payout.ts';
import type { Call } from '../request/call.ts';
import type { CallOptions } from '../request/call-options.ts';
import { createListMethod, type List } from '../request/pagination.ts';

/** Money on its way to the merchant or to others (interface, sections 4.9 and 4.10). */
export type PayoutsResource = {
  /** 4.9: the payouts; bounds of `createdAt` in UNIX seconds. */
  list: (query?: PayoutListQuery, options?: CallOptions) => List<Payout>;
  /** 4.10: a payout by its id. */
  retrieve: (id: string, options?: CallOptions) => Promise<Payout>;
};

export function createPayoutsResource(call: Call): PayoutsResource {
  return {
    list: createListMethod(call, 'payouts.list'),
    retrieve: (id, options) => call('payouts.retrieve', { path: { id } }, options),
  };
}
