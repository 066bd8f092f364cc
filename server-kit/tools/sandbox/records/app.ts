import type { AppRegistration, appFields } from '../../../client/api/app.ts';
import { overlay, type RecordOf } from '../input/seed.ts';
import { toIso } from '../state/clock.ts';
import type { NewRecordParts } from '../state/mint.ts';

/** A stored app (2.10). */
export type SandboxApp = RecordOf<typeof appFields>;

/** Creates the app of a checked registration (4.13). */
export function createApp(registration: AppRegistration, { mint, nowMs }: NewRecordParts): SandboxApp {
  const createdAt = toIso(nowMs);
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
