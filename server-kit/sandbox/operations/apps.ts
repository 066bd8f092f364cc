import { updateMoment } from '../clock/iso.ts';
import { found } from '../errors/sandbox-error.ts';
import { overlay } from '../input/seed.ts';
import { newApp } from '../records/app.ts';
import type { HandlersOf } from './handler.ts';

export const appOperations: HandlersOf<'apps'> = {
  'apps.register': ({ body }, world) => world.state.apps.put(newApp(world, body)),

  'apps.update': ({ parameters: { id }, body }, { state, clock }) => {
    const message = `No app has the id "${id}"; register it first, and keep its id.`;
    const app = found(state.apps.get(id), 'app_not_found', message);
    return state.apps.put({ ...overlay(app, body), updatedAt: updateMoment(app, clock.now()) });
  },
};
