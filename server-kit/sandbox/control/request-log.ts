import type { LoggedRequest } from '../request-log/request-log.ts';
import type { SandboxWorld } from '../world/world.ts';
import { type ControlCall, controlCallsOf } from './control-call.ts';

export type RequestLogControl = {
  /** The last 500 requests to endpoints, newest first; where a signature was refused, with what was wrong with it. */
  listRequests: () => readonly LoggedRequest[];
};

export const createRequestLogControl = ({ requestLog }: SandboxWorld): RequestLogControl => ({
  listRequests: requestLog.list,
});

const call = controlCallsOf<RequestLogControl>();

export const requestLogCalls = {
  listRequests: call({
    method: 'GET',
    path: '/_sandbox/requests',
    summary: 'The last requests to endpoints, newest first, and why signatures were refused: { data }',
    answer: (control) => ({ data: control.listRequests() }),
  }),
} satisfies Record<keyof RequestLogControl, ControlCall<RequestLogControl>>;
