import { expect, it } from 'vitest';
import { call, newSandbox } from '../sandbox-kit.ts';

const registration = { name: 'Till', icon: 'icon.png', base64Icon: 'aWNvbg==', scheme: 'till' };
const headers = { authorization: 'Bearer auth_test_sandbox' };

it('an app is registered with the given fields and keeps those that an update leaves out', async () => {
  const sandbox = newSandbox();
  const registered = await call(sandbox, '/v1/apps', { body: registration, headers });
  expect(registered.status).toBe(201);
  expect(registered.body).toEqual({
    id: expect.stringMatching(/^app_/),
    ...registration,
    bankingType: null,
    iosTeamId: null,
    iosBundleId: null,
    andriodPackageName: null,
    andriodCertFingerprints: null,
    publicKey: expect.stringMatching(/^pk_app_[a-z0-9]{24}$/),
    liveMode: false,
    createdAt: '2026-01-02T09:30:00.000Z',
    updatedAt: '2026-01-02T09:30:00.000Z',
  });
  sandbox.control.setClock({ advanceSeconds: 60 });
  const change = { scheme: 'till-2', bankingType: 'business' };
  const path = `/v1/apps/${registered.body.id}`;
  const updated = await call(sandbox, path, { method: 'PUT', body: change, headers });
  expect(updated.body).toEqual({ ...registered.body, ...change, updatedAt: '2026-01-02T09:31:00.000Z' });
  expect(sandbox.control.listApps()).toEqual([updated.body]);
});
