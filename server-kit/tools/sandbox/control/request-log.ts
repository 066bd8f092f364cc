import type { LoggedRequest } from '../request-log/request-log.ts';
import type { ControlCallsOf } from './control-call.ts';

export type RequestLogControl = {
  /** Lists the last 500 requests to endpoints, newest first, with a diagnosis of each refused signature. */
  listRequests: () => readonly LoggedRequest[];
};

export const requestLogCalls: ControlCallsOf<RequestLogControl> = {
  listRequests: { run: ({ requestLog }) => requestLog.list() },
};
