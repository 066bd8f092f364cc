import { type ControlCall, controlCallsOf } from '../control-call.ts';
import type { SandboxWorld } from '../world.ts';
import type { SandboxApp } from './app.ts';

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
