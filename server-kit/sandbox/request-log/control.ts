import type { ControlCall } from '../control-call.ts';
import type { SandboxWorld } from '../world.ts';
import type { LoggedRequest } from './request-log.ts';

export type RequestLogControl = {
  /** The last 500 requests to endpoints, newest first; where a signature was refused, with what was wrong with it. */
  listRequests: () => readonly LoggedRequest[];
};

export const createRequestLogControl = ({ requestLog }: SandboxWorld): RequestLogControl => ({
  listRequests: requestLog.list,
});

export const requestLogCalls = {
  listRequests: {
    method: 'GET',
    path: '/_sandbox/requests',
    summary: 'The last requests to endpoints, newest first, and why signatures were refused: { data }',
    answer: (control) => ({ data: control.listRequests() }),
  },
} as const satisfies Record<keyof RequestLogControl, ControlCall<RequestLogControl>>;
