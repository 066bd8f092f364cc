import type { AppRegistration, appFields } from '../../api/app.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { toIso, updateMoment } from '../iso.ts';
import type { HandlersOf } from '../operation.ts';
import { overlay, type RecordOf } from '../seed.ts';
import type { SandboxWorld } from '../world.ts';

/** 2.10 as it is kept and answered. */
export type SandboxApp = RecordOf<typeof appFields>;

export const appOperations: HandlersOf<'apps'> = {
  'apps.register': ({ body }, world) => registerApp(world, body),

  'apps.update': ({ parameters: { id }, body }, { state, clock }) => {
    const app = state.apps.get(id);
    if (app === undefined) {
      throw new SandboxError(
        'app_not_found',
        `No app has the id "${id}"; register it first, and keep its id.`,
      );
    }
    return state.apps.put({ ...overlay(app, body), updatedAt: updateMoment(app, clock.now()) });
  },
};

/** 4.13, for an endpoint and for fixtures. The body is checked. */
export function registerApp({ state, clock, mint }: SandboxWorld, body: AppRegistration): SandboxApp {
  const createdAt = toIso(clock.now());
  const blank: SandboxApp = {
    id: mint.id('app'),
    name: body.name,
    icon: body.icon,
    base64Icon: body.base64Icon,
    scheme: body.scheme,
    bankingType: null,
    iosTeamId: null,
    iosBundleId: null,
    andriodPackageName: null,
    andriodCertFingerprints: null,
    publicKey: `pk_app_${mint.token(24)}`,
    liveMode: false,
    createdAt,
    updatedAt: createdAt,
  };
  return state.apps.put(overlay(blank, body));
}
