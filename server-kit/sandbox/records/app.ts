import type { AppRegistration, appFields } from '../../api/app.ts';
import { toIso } from '../clock/iso.ts';
import { overlay, type RecordOf } from '../input/seed.ts';
import type { SandboxWorld } from '../world/world.ts';

/** 2.10 as it is kept and answered. */
export type SandboxApp = RecordOf<typeof appFields>;

/** Makes the app of a registration (4.13) that is checked; it is not kept yet. */
export function newApp({ clock, mint }: SandboxWorld, registration: AppRegistration): SandboxApp {
  const createdAt = toIso(clock.now());
  const { name, icon, base64Icon, scheme } = registration;
  return overlay<SandboxApp>(
    {
      id: mint.id('app'),
      name,
      icon,
      base64Icon,
      scheme,
      bankingType: null,
      iosTeamId: null,
      iosBundleId: null,
      andriodPackageName: null,
      andriodCertFingerprints: null,
      publicKey: `pk_app_${mint.token(24)}`,
      liveMode: false,
      createdAt,
      updatedAt: createdAt,
    },
    registration,
  );
}
