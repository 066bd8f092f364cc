import type { ControlCall } from '../control-call.ts';
import type { SandboxWorld } from '../world.ts';
import type { SandboxApp } from './operations.ts';

export type AppsControl = {
  /** Every app, the last registered first. */
  listApps: () => readonly SandboxApp[];
};

export const createAppsControl = ({ state }: SandboxWorld): AppsControl => ({
  listApps: () => state.apps.list(),
});

export const appCalls = {
  listApps: {
    method: 'GET',
    path: '/_sandbox/apps',
    summary: 'All apps, the last registered first: { data }',
    answer: (control) => ({ data: control.listApps() }),
  },
} as const satisfies Record<keyof AppsControl, ControlCall<AppsControl>>;
