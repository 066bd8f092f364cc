import type { PaymentsClient } from '../../core/client.ts';
import type { PlainRequest } from '../../core/http.ts';
import type { ClientSecrets } from '../../core/secrets.ts';
import type { Callback } from '../../core/signature.ts';
import type { Wait } from '../../core/time.ts';
import type { GetOrderRequest, OrderInput } from '../order/request.ts';
import type { Origins } from '../routes/access/cors.ts';
import type { RequestLimits } from '../routes/access/request-limits.ts';
import type { Places, Waiters } from '../routes/waiters.ts';
import type { Store } from '../store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import type { Verifier } from '../verification/verifier.ts';
import type { Background } from './background.ts';
import type { LiveMode } from './live-mode.ts';
import type { Reconciler } from './reconciler.ts';
import type { Changes, Records } from './records.ts';

/** A signed callback about a payment of no order, and the payment's reference. */
export type UnknownPayment = Callback & { reference: string };

export type OnUnknownPayment = (payment: UnknownPayment) => unknown;

/** What a checkout is made of. */
export type Engine = {
  client: PaymentsClient;
  store: Store;
  records: Records;
  changes: Changes;
  verifier: Verifier;
  reconciler: Reconciler;
  background: Background;
  liveMode: LiveMode;
  secrets: ClientSecrets;
  log: Log;
  now: () => number;
  wait: Wait;
  random: () => number;
  verificationIntervalMs: number;
  createReference: () => string;
  /** Where the service sends callbacks. */
  callbackUrl: string;
  /** Where the service's page sends shoppers back to, unless the order says otherwise. */
  returnUrl: string;
  getOrder: (request: GetOrderRequest) => OrderInput | Promise<OrderInput>;
  onUnknownPayment: OnUnknownPayment | undefined;
  /** The references of the last payments of no order, the newest last, where `onUnknownPayment` is not given. */
  unknownPayments: Set<string>;
  /** Aborted by `stop`. */
  stopping: AbortController;
  waiters: Waiters;
  /** The sessions that are being opened. */
  opening: Places;
  limits: RequestLimits;
  origins: Origins;
  operatorKey: string | undefined;
  readiness: Readiness;
  noteMountPath: (request: PlainRequest) => void;
  noteClient: (request: PlainRequest) => void;
};
