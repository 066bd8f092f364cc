import { nextUpdatedAt } from '../clock/iso.ts';
import { findOrRefuse } from '../errors/sandbox-error.ts';
import { overlay } from '../input/seed.ts';
import { createApp } from '../records/app.ts';
import type { HandlersOf } from './handler.ts';

export const appOperations: HandlersOf<'apps'> = {
  'apps.register': ({ body }, { state, mint, clock }) =>
    state.apps.put(createApp(body, { mint, nowMs: clock.now() })),

  'apps.update': ({ parameters: { id }, body }, { state, clock }) => {
    const message = `No app has the id "${id}"; register it first, and keep its id.`;
    const app = findOrRefuse(state.apps.get(id), 'app_not_found', message);
    return state.apps.put({ ...overlay(app, body), updatedAt: nextUpdatedAt(app, clock.now()) });
  },
};
