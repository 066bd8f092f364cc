import type { SandboxApp } from '../records/app.ts';
import type { ControlCallsOf } from './control-call.ts';

export type AppsControl = {
  /** Lists every app, newest first. */
  listApps: () => readonly SandboxApp[];
};

export const appCalls: ControlCallsOf<AppsControl> = {
  listApps: { run: ({ state }) => state.apps.list() },
};
