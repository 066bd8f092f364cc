import type { EventNames, NewEvent, OrderOutcome } from './order/event.ts';
import type { Order } from './order/record.ts';

/** A record as it is stored. `storeNow` is the store's clock at the time of reading, in milliseconds since the epoch. */
export type Stored<T> = { record: T; version: number; storeNow: number };

export type StoredRecord = Stored<Order>;

/** What is stored of an order: nothing if `record` is null, and `version` is 0 then. */
export type FoundRecord = StoredRecord | Stored<null>;

/** Everything that one write changes. */
export type RecordWrite = {
  /** The id of the order. */
  id: string;
  record: Order;
  /** The version that was read; 0 if nothing was stored. */
  version: number;
  /** New references by which the record can be found. */
  references: readonly string[];
  /** New account numbers by which the record can be found, and others too. */
  accountNumbers: readonly string[];
  /** New outbox events, in their order. */
  events: readonly NewEvent[];
  /** The time until the next verification, in milliseconds; `null` for never. While a requested verification is not made, it stays due. */
  dueAfterMs: number | null;
  /** The claim that ends with this write, because its verification is written here; `null` for none. */
  claim: number | null;
  /** What the record waits for, for the gauges. */
  awaits: 'money' | 'confirmation' | null;
  /** Whether a person must do something about the order. */
  needsPerson: boolean;
};

/** An order that a person looks for, with its events that are not done. */
export type FoundOrder = StoredRecord & { events: (OutboxEvent & { isParked: boolean })[] };

/**
 * A record that was claimed for a verification. The claims of a record are numbered, and a later one takes over from those before it.
 * `isWoken`: whether a verification was requested.
 */
export type DueRecord = StoredRecord & { claim: number; isWoken: boolean };

/** `isServed`: whether the claim has made the verification that was requested; otherwise it stays requested. */
export type Reschedule = {
  id: string;
  version: number;
  dueAfterMs: number | null;
  claim: number;
  isServed: boolean;
};

/** An event of an order, and its delivery. */
export type OutboxEvent = NewEvent & {
  /** Counts the claims, and is a fencing token: only the last one may end the event. */
  token: number;
  /** The message of the last failure, at most 2,000 characters; `null` if no run has failed. */
  failure: string | null;
};

/** An outbox event that is parked, or that has failed, with what it is about. */
export type WaitingOutboxEvent = OutboxEvent & Pick<ClaimedOutboxEvent, 'record'> & { isParked: boolean };

/** An outbox event whose run has just started. */
export type ClaimedOutboxEvent = OutboxEvent & {
  /** The id of the record that the event is about. */
  recordId: string;
  /** Whether the run before neither ended nor failed, and its lease has expired. */
  wasLost: boolean;
  /** The number of events of the record that wait or run, this one included: more by the end of the run means that some were added. */
  open: number;
  /** What the event is about. `null` only after a fault. */
  record: Order | null;
  /** Whether another event may be due. */
  hasMore: boolean;
};

/** Identifies one run of an outbox event. */
export type OutboxEventRun = Pick<EventNames, 'key' | 'outcome'> &
  Pick<ClaimedOutboxEvent, 'recordId' | 'token' | 'open'>;

/**
 * How a run ends:
 *
 * - `done`: the handler has succeeded
 * - `waiting`: it has failed, and is called again after a pause; at once if events were added since the claim
 * - `deferred`: as `waiting`, but the later events of the record no longer wait for it
 * - `parked`: there is no handler, or with a failure, its runs were lost too often; the event is kept until it is resumed
 * - `withdrawn`: it was not called, because the order was paid after this `expired` or `failed`
 */
export type RunEnd =
  | { state: 'done' }
  | { state: 'withdrawn' }
  | { state: 'parked'; failure?: string }
  | { state: 'waiting' | 'deferred'; afterMs: number; failure: string };

/** How a run changes: it ends, or its lease is renewed. */
export type RunChange = RunEnd | { state: 'running'; leaseMs: number };

/** `nextAfterMs`: the time until an event of the same record is due, in milliseconds; `null` if none is. */
export type EndedRun = { nextAfterMs: number | null };

/** More events and orders than this are not counted one by one: a monitor needs no larger number, and calls often. */
export const mostCounted = 1000;

/** The store's gauges. Ages in milliseconds on the store's clock. */
export type StoreMeasures = {
  /** The number of orders that wait for their money; at most `mostCounted`. */
  openOrders: number;
  /** How long the oldest unpaid order has waited for its money; `null` if there is none. */
  oldestUnpaidMs: number | null;
  /** How long the oldest order whose money has arrived has waited for its confirmation; `null` if there is none. */
  oldestConfirmingMs: number | null;
  /** How long the most overdue verification has been due; 0 if none is. */
  checkLagMs: number;
  /** The number of events that wait or run; at most `mostCounted`. */
  pendingOutboxEvents: number;
  /** The number of parked events; at most `mostCounted`. */
  parkedEvents: number;
};

export type StoreStatus = StoreMeasures & {
  /** The order that has waited longest for its money; `null` if none waits. */
  oldestUnpaid: Order | null;
  /** Counts the events of each outcome, without those that were withdrawn. A missing count is 0. */
  outcomes: Partial<OutcomeCounts>;
  /** The events that are parked, or have failed. */
  waiting: WaitingOutboxEvent[];
  /** The orders that need a person, or have waited for their confirmation for `lateConfirmationMs`. */
  needingPerson: { record: Order; sinceMs: number }[];
};

/** More orders than this are not found at once. */
export const mostFound = 20;

/** `paid` is the number of orders that have been paid; `late` is the number of those that were paid after the account had expired. */
export type OutcomeCounts = Record<OrderOutcome, number> & { late: number };

/** Returns the names of the counts that an event adds to. */
export const countsOf = (event: NewEvent): (keyof OutcomeCounts)[] =>
  event.outcome === 'paid' && event.isLate ? ['paid', 'late'] : [event.outcome];

/** Gets a reference of each record that has changed; `undefined` if some changes may have been missed. */
export type OnChange = (reference: string | undefined) => void;

/** Gets an error that says why changes are missed now. */
export type OnMissed = (error: Error) => void;

/**
 * The orders and the outbox. Each function is atomic. A returned object is a copy: changing it does not change the store.
 *
 * The store's own clock decides what is due and which lease has expired: the clocks of the instances that share it may differ.
 *
 * The events of each order are a queue: they run one at a time, in their order. Deferred ones run after all others, the one that failed
 * first before the rest. Parked ones hold up none.
 */
export type Store = {
  /** Whether the content is lost when the process ends. Live mode refuses such a store. */
  isVolatile: boolean;
  /**
   * Creates or migrates the tables, as the first use of the store does, and writes something small. Rejects while the store takes no
   * writes: it is read-only, full or down. Safe to call at any time, from several processes at once.
   */
  prepare: () => Promise<void>;
  /** Returns what is stored of this order, or of the order that has this reference. */
  find: (by: { orderId: string } | { reference: string }) => Promise<FoundRecord>;
  /**
   * Returns the orders that have this id, or a payment with this reference or account number, for people: at most `mostFound`, those that
   * were changed last first.
   */
  findOrders: (text: string) => Promise<FoundOrder[]>;
  /**
   * Compare-and-set: if the stored version is `version`, stores the record under the next one, with its references and events, all or
   * nothing. Returns false if another write came first, or if a reference is taken. Added events end the pause of a failed one.
   */
  write: (change: RecordWrite) => Promise<boolean>;
  /**
   * Claims orders for a verification: with `limit`, those that are due, first the woken, then the longest overdue; no two callers get the
   * same. With `reference`, wakes the order that has it: requests a verification, and claims it, due or not; none for an unknown
   * reference. A claimed order is due again after `leaseMs`, unless it is scheduled before. Only the last claim ends the request: any
   * other write may rest on an earlier verification.
   */
  claimOrders: (
    options: ({ limit: number } | { reference: string }) & { leaseMs: number },
  ) => Promise<DueRecord[]>;
  /**
   * Ends a claim, unless a later one has taken over, and schedules the next verification after one that changed nothing, or failed. If the
   * record has another version, it stays due as that write, or the claim, has scheduled it.
   */
  reschedule: (change: Reschedule) => Promise<void>;
  /** Claims the next event that is due, if any, under a lease. */
  claimOutboxEvent: (options: { leaseMs: number }) => Promise<ClaimedOutboxEvent | undefined>;
  /** Ends the run, or renews its lease. Returns `undefined`, and changes nothing, if the lease was lost to another, or the run has ended. */
  updateOutboxEvent: (run: OutboxEventRun, change: RunChange) => Promise<EndedRun | undefined>;
  /**
   * Makes parked events of these outcomes, at least one, due, spread over `withinMs`: those that have not failed, and at a start all of
   * them. A start also ends longer pauses of other events.
   */
  resumeOutboxEvents: (options: {
    outcomes: readonly OrderOutcome[];
    withinMs: number;
    isStart: boolean;
  }) => Promise<void>;
  /** Returns the status, with at most `mostWaiting` waiting events and orders that need a person, those that wait longest first. With none, it is cheap. */
  readStatus: (options: { mostWaiting: number }) => Promise<StoreStatus>;
  /**
   * Notifies of records that other instances have written: the checkout knows what its own instance writes. Optional: without it, requests
   * that wait learn of those changes within three seconds. Returns what ends the subscription.
   */
  subscribe?: (onChange: OnChange, onMissed: OnMissed) => () => void;
  /**
   * Runs `work` in one transaction in which the run ends as `done`: both happen, or neither. For stores whose database can hold the
   * merchant's own tables. Nothing of the store is locked while `work` runs. Returns `undefined`, and rolls back, if the lease was lost or
   * the run has ended. When `signal` aborts, or the database ends the transaction, it is rolled back and rejects at once; `work` may still
   * run, but each further statement of it fails.
   */
  transact?: (
    run: OutboxEventRun,
    work: (transaction: unknown) => Promise<void>,
    signal?: AbortSignal,
  ) => Promise<EndedRun | undefined>;
  /** The most `transact` calls that may run at once, so that connections are left for everything else. Default: 4. */
  maxTransactions?: number;
};
