import type { SandboxApp } from '../records/app.ts';
import type { SandboxWorld } from '../world/world.ts';
import { type ControlCall, controlCallsOf } from './control-call.ts';

export type AppsControl = {
  /** Every app, newest first. */
  listApps: () => readonly SandboxApp[];
};

export const createAppsControl = ({ state }: SandboxWorld): AppsControl => ({
  listApps: () => state.apps.list(),
});

const call = controlCallsOf<AppsControl>();

export const appCalls = {
  listApps: call({
    method: 'GET',
    path: '/_sandbox/apps',
    summary: 'All apps, newest first: { data }',
    answer: (control) => ({ data: control.listApps() }),
  }),
} satisfies Record<keyof AppsControl, ControlCall<AppsControl>>;
