import type { CheckoutModel } from '../model/index.ts';
import { createLater as create, enMore, type Later } from '../model/more.ts';

export { leadsOf } from '../model/more.ts';
export { ConnectionHelp } from './connection-help.tsx';
export { copySelection } from './copy-selection.ts';
export { LeaveQuestion } from './leave-question.tsx';
export { default as css } from './more.css?inline';
export { Notice } from './notice.tsx';
export { spokenTimeLeft } from './spoken-time-left.ts';
export { TransferActions } from './transfer-actions.tsx';
export { enMore as words };

/** Starts what goes on beside the screens. */
export function createLater(model: CheckoutModel): Later {
  return create(model, (url) => location.assign(url));
}
