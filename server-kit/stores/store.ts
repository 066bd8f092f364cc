import type { ClaimedOutboxEvent, OutboxEvent, OutboxEventRun, OutboxOutcome } from './outbox-event.ts';
import type { PaymentRecord } from './payment-record.ts';

/** What an update writes together with the record. */
export type RecordChange = {
  /** The time until the next verification, in milliseconds; `null` for never. */
  checkAfterMs: number | null;
  /** The outcomes to report. Those that are not new (`findNewEvents`) add no outbox event. */
  outcomes: readonly OutboxOutcome[];
  /** Set by the claimant of a payment that was woken. Without it, the update does not reschedule such a payment. */
  claim?: ClaimEnd;
};

/**
 * The end of a claim: the requested verification is made (`verified`), or has `failed` and is still requested. It is ignored
 * if the payment was claimed or woken again since, because this verification may have been earlier.
 */
export type ClaimEnd = { number: number; result: 'verified' | 'failed' };

/** A payment that is due for a verification. `claim` is the number of the claim if `wake` requested it, otherwise `null`. */
export type DuePayment = { record: PaymentRecord; claim: number | null };

/** The payments, and when each is verified next. */
export type PaymentStore = {
  /** Adds a record. Returns false, and changes nothing, if its reference or its (orderId, attempt) exists. */
  insert: (record: PaymentRecord, change: Pick<RecordChange, 'checkAfterMs'>) => Promise<boolean>;
  /**
   * Compare-and-set: if the stored version is `record.version`, replaces the record under the next version and adds the new
   * outbox events, all or nothing. Returns the stored record, or `undefined` if another write came first.
   */
  update: (record: PaymentRecord, change: RecordChange) => Promise<PaymentRecord | undefined>;
  findByReference: (reference: string) => Promise<PaymentRecord | undefined>;
  /** Returns all payments of an order, in the order of `attempt`; empty for an unknown order. */
  listByOrder: (orderId: string) => Promise<PaymentRecord[]>;
  /** Returns all payments of the order to which this reference belongs; empty for an unknown reference. */
  listOrderOf: (reference: string) => Promise<PaymentRecord[]>;
  /**
   * Makes the payment of this reference due at once. Only a later claim ends the request, after its verification
   * (`RecordChange.claim`): any other update may rest on an earlier one. Returns false for an unknown reference.
   */
  wake: (reference: string) => Promise<boolean>;
  /**
   * Claims payments that are due, those woken first, then the longest overdue. They are due again after `leaseMs`, unless
   * they are updated before; no two callers get the same. With `isWoken`, only those that were woken.
   */
  claimDue: (options: { limit: number; leaseMs: number; isWoken?: boolean }) => Promise<DuePayment[]>;
};

/** The outbox events, and their leases. */
export type OutboxStore = {
  /**
   * Claims the next event that is due, if any, under a lease. The events of one order run one at a time, in their order of
   * creation. A dead `paid` holds up the later ones; a dead letter of another outcome does not.
   */
  claimOutboxEvent: (options: { leaseMs: number }) => Promise<ClaimedOutboxEvent | undefined>;
  /** Renews the lease. Returns false if it was lost to another. */
  renewOutboxEvent: (run: OutboxEventRun, options: { leaseMs: number }) => Promise<boolean>;
  /** Marks the event as done. Returns false if the lease was lost to another, or the event is done already. */
  finishOutboxEvent: (run: OutboxEventRun) => Promise<boolean>;
  /**
   * Releases the event after a failure: it is due again after `retryAfterMs`, or a dead letter if that is `null`. Returns
   * false if the lease was lost to another.
   */
  failOutboxEvent: (
    run: OutboxEventRun,
    options: { retryAfterMs: number | null; failure: string },
  ) => Promise<boolean>;
  /** Returns the dead letters, oldest first. */
  listDeadLetters: () => Promise<OutboxEvent[]>;
  /** Makes a dead letter due again. Returns false for a key that is not a dead letter. */
  retryDeadLetter: (key: string) => Promise<boolean>;
  /**
   * Runs `work` in one transaction with `finishOutboxEvent`: both happen, or neither. For stores whose database can hold the
   * merchant's own tables. Returns false, and runs nothing, if the lease was lost or the event is done. When `signal`
   * aborts, or the database ends the transaction, it is rolled back and rejects at once; `work` may still run, but each
   * further statement of it fails.
   */
  transact?: (
    run: OutboxEventRun,
    work: (transaction: unknown) => Promise<void>,
    signal?: AbortSignal,
  ) => Promise<boolean>;
  /** The most `transact` calls that may run at once, so that connections are left for everything else. Default: 4. */
  maxTransactions?: number;
};

/**
 * The payments, the outbox and the verification budget. Each method is atomic. A returned object is a copy: changing it does
 * not change the store.
 *
 * The store's own clock decides what is due and which lease has expired: the clocks of the instances that share it may differ.
 */
export type Store = PaymentStore &
  OutboxStore & {
    /** Whether the content is lost when the process ends. Live mode refuses such a store. */
    isVolatile: boolean;
    /**
     * Creates or migrates the tables; the first use of a store does the same. Safe to call at any time, from several
     * processes at once.
     *
     * @throws {CheckoutError} `internal_error` if a newer release has migrated them further
     */
    migrate: () => Promise<void>;
    /**
     * Replaces the verification budget, which all instances share, with the first value that `change` returns, and returns the
     * second. `change` gets the stored budget, at first `undefined`, and the store's clock in milliseconds. It must be pure:
     * it runs again if another instance has changed the budget meanwhile.
     */
    updateBudget: <T>(
      change: (state: BudgetState | undefined, nowMs: number) => readonly [BudgetState, T],
    ) => Promise<T>;
    /** Returns the store's gauges. Ages in milliseconds on the store's clock. */
    measure: () => Promise<StoreMeasures>;
    /** Returns the oldest pending payment, or `undefined` if no payment is pending. */
    findOldestUnpaid: () => Promise<PaymentRecord | undefined>;
    /** Counts the outcomes of all orders. It reads every row: for people, not for a monitor that asks every few seconds. */
    countOutcomes: () => Promise<OutcomeCounts>;
    /**
     * Deletes orders whose payments were all settled longer ago than this, need no further verification, and have no open
     * outbox events. Returns the number of deleted payments.
     *
     * Choose months, and never less than an hour: a deleted order is unknown, and requested again, it could be paid again.
     */
    purge: (olderThanMs: number) => Promise<number>;
    /** Closes the connections. */
    close: () => Promise<void>;
  };

/** The verification budget, see `verification/budget/permits.ts`. Moments in milliseconds on the store's clock. */
export type BudgetState = {
  ratePerSecond: number;
  /** The permits that may be taken now. Negative if more were taken. */
  permits: number;
  /** When `permits` was counted. */
  atMs: number;
  /** Whether more permits were wanted than available. */
  isShort: boolean;
  /** The rate at which the service last refused a request; `null` until it has. */
  limitPerSecond: number | null;
  /** Whether the refusal before the last came at about the same rate. */
  isLimitSure: boolean;
  decreasedAtMs: number | null;
  /** No permit before this moment. */
  pausedUntilMs: number;
};

export type StoreMeasures = {
  /** How long the oldest pending payment has waited for its money; `null` if there is none. */
  oldestUnpaidMs: number | null;
  /** How long the oldest payment whose money has arrived (`confirming`) has waited for confirmation; `null` if there is none. */
  oldestConfirmingMs: number | null;
  /** How long the most overdue payment has been due; 0 if none is. */
  checkLagMs: number;
  /** The number of events that wait or run. */
  pendingOutboxEvents: number;
  /** The number of dead letters. */
  deadLetters: number;
};

/**
 * The number of outbox events of each outcome, without those that were withdrawn: `paid` is the number of orders that have
 * been paid. `late` is the number of payments that paid their order after the account had expired, and were not reversed.
 */
export type OutcomeCounts = Record<OutboxOutcome, number> & { late: number };
