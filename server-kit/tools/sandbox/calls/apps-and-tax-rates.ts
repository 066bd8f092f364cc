import { findOrRefuse } from '../errors.ts';
import { overlay } from '../input/seed.ts';
import { createApp, createTaxRate, TaxRateSeed } from '../records/apps-and-tax-rates.ts';
import { nextUpdatedAt } from '../state/clock.ts';
import { refuseKnownId } from '../state/collection.ts';
import { type ControlCalls, type HandlersOf, isOneOf, listPage } from './handler.ts';

export const appOperations: HandlersOf<'apps'> = {
  'apps.register': ({ body }, { state, mint, clock }) =>
    state.apps.put(createApp(body, { mint, nowMs: clock.now() })),

  'apps.update': ({ parameters: { id }, body }, { state, clock }) => {
    const message = `No app has the id "${id}"; register it first, and keep its id.`;
    const app = findOrRefuse(state.apps.get(id), 'app_not_found', message);
    return state.apps.put({ ...overlay(app, body), updatedAt: nextUpdatedAt(app, clock.now()) });
  },
};

export const appCalls = {
  /** Lists every app, newest first. */
  listApps: { run: ({ state }) => state.apps.list() },
} satisfies ControlCalls;

export const taxRateOperations: HandlersOf<'taxRates'> = {
  'taxRates.list': ({ query }, world) =>
    listPage(world, world.state.taxRates.list(), query, ({ taxType }) => isOneOf(query.taxType, taxType)),

  'taxRates.retrieve': ({ parameters: { id } }, { state }) => {
    const message = `No tax rate has the id "${id}"; list them for those that exist.`;
    return findOrRefuse(state.taxRates.get(id), 'tax_rate_not_found', message);
  },
};

export const taxRateCalls = {
  /** Lists every tax rate, newest first. */
  listTaxRates: { run: ({ state }) => state.taxRates.list() },
  /** Creates a tax rate, which no endpoint does. Refuses with `validation_failed`, `id_exists`. */
  createTaxRate: {
    request: TaxRateSeed,
    run({ state, mint, clock }, input: TaxRateSeed) {
      const taxRate = createTaxRate(input, { mint, nowMs: clock.now() });
      refuseKnownId(taxRate.id, state.taxRates);
      return state.taxRates.put(taxRate);
    },
  },
} satisfies ControlCalls;
