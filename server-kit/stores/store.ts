import type { ClaimedOutboxEvent, OutboxEvent, OutboxEventRun, OutboxOutcome } from './outbox-event.ts';
import type { PaymentRecord } from './payment-record.ts';

/** What is written together with a record. */
export type RecordChange = {
  /** How long until somebody has to look at the payment again, in milliseconds; `null` for never. */
  checkAfterMs: number | null;
  /** What the merchant may have to be told. What is no news (`findNewEvents`) is left out. */
  outcomes: readonly OutboxOutcome[];
  /** Said by who has claimed a payment that was woken. Who leaves it out does not move the next look of such a payment. */
  claim?: ClaimEnd;
};

/**
 * What has become of a claim, by its number: the look that was asked for is `answered`, or has `failed` and is still asked
 * for. It counts while no later claim was made and no look asked for since: what it writes may have been seen before.
 */
export type ClaimEnd = { number: number; result: 'answered' | 'failed' };

/** A payment that is due for a look. `claim` numbers the claim where it was asked for with `wake`, and is `null` otherwise. */
export type DuePayment = { record: PaymentRecord; claim: number | null };

/** The payments, and when somebody has to look at each. */
export type PaymentStore = {
  /** Adds a record. Gives false, and changes nothing, when its reference or its (orderId, attempt) is taken. */
  insert: (record: PaymentRecord, change: Pick<RecordChange, 'checkAfterMs'>) => Promise<boolean>;
  /**
   * Compare-and-set: replaces the record of this reference when its stored version is `record.version`, stores it
   * under the next version, and adds the effects that are news, all or nothing. Gives the stored record, or
   * `undefined` when another write came first.
   */
  update: (record: PaymentRecord, change: RecordChange) => Promise<PaymentRecord | undefined>;
  findByReference: (reference: string) => Promise<PaymentRecord | undefined>;
  /** All attempts at an order, in the order of `attempt`; empty for an unknown order. */
  listByOrder: (orderId: string) => Promise<PaymentRecord[]>;
  /** The same by the reference of one of them; empty for a reference that is not recorded. */
  listOrderOf: (reference: string) => Promise<PaymentRecord[]>;
  /**
   * Makes the payment of this reference due at once. Only a claim that comes later answers it, and only once its
   * look has been made (`RecordChange.claim`): any other update may have seen the service before. Gives false for a reference that is not recorded.
   */
  wake: (reference: string) => Promise<boolean>;
  /**
   * Takes payments that are due, those woken first, then the longest overdue. They are due again after `leaseMs`
   * unless they are updated before; no two callers get the same. With `isWoken`, only those that were woken.
   */
  claimDue: (options: { limit: number; leaseMs: number; isWoken?: boolean }) => Promise<DuePayment[]>;
};

/** What the merchant has to be told, and who is about to do so. */
export type OutboxStore = {
  /**
   * Takes the next effect that is due, if any, under a lease. The effects of one order run one at a time, in the order
   * in which they came about. A `paid` that was set aside holds up what came after it; another outcome does not.
   */
  claimOutboxEvent: (options: { leaseMs: number }) => Promise<ClaimedOutboxEvent | undefined>;
  /** Prolongs the lease. Gives false when it was lost to another: stop. */
  renewOutboxEvent: (run: OutboxEventRun, options: { leaseMs: number }) => Promise<boolean>;
  /** Marks the effect as done. Gives false when the lease was lost to another, or it is done already. */
  finishOutboxEvent: (run: OutboxEventRun) => Promise<boolean>;
  /**
   * Gives the effect back after a failure: due again after `retryAfterMs`, or set aside where that is `null`. Gives
   * false when the lease was lost to another.
   */
  failOutboxEvent: (
    run: OutboxEventRun,
    options: { retryAfterMs: number | null; failure: string },
  ) => Promise<boolean>;
  /** The effects that were set aside, those that came about first first. */
  listDeadLetters: () => Promise<OutboxEvent[]>;
  /** Makes an effect that was set aside due again. Gives false for one that was not. */
  retryDeadLetter: (key: string) => Promise<boolean>;
  /**
   * Runs `work` in one transaction with `finishOutboxEvent`: either both happened or neither. Only where the merchant's own
   * tables can be in it. Gives false, and runs nothing, when the lease was lost or the effect is done. When `signal` aborts,
   * or the database ends the transaction, it is rolled back at once and rejects, though `work` may go on: every further
   * statement of `work` fails.
   */
  transact?: (
    run: OutboxEventRun,
    work: (transaction: unknown) => Promise<void>,
    signal?: AbortSignal,
  ) => Promise<boolean>;
  /**
   * How many of `transact` may run at once, so that the store keeps connections for everything else. Default, where there is
   * `transact`: 4.
   */
  maxTransactions?: number;
};

/**
 * Where payments are recorded, and what is to be done about them. Each method is atomic; everything else is built on
 * them. No method returns an object that a caller could change the store through.
 *
 * The store has a clock of its own, and it alone decides what is due and whose lease has passed: the clocks of the
 * instances that share it may differ.
 */
export type Store = PaymentStore &
  OutboxStore & {
    /** Whether everything is lost when the process ends. Live mode refuses such a store. */
    isVolatile: boolean;
    /**
     * Makes or brings up to date what the store needs; the first use of a store does the same. Safe to call at any
     * time, from several processes at once.
     *
     * @throws {CheckoutError} `internal_error` when a newer release has brought it further than this one knows
     */
    migrate: () => Promise<void>;
    /**
     * Replaces the verification budget that all instances share with what `change` makes of it, and returns the second of
     * what `change` returns. `change` gets what is stored, `undefined` at first, and the store's clock in milliseconds. It
     * is pure: where another instance has changed the budget meanwhile, it runs again.
     */
    updateBudget: <T>(
      change: (state: BudgetState | undefined, nowMs: number) => readonly [BudgetState, T],
    ) => Promise<T>;
    /** For health checks and gauges. Ages in milliseconds on the store's clock. */
    measure: () => Promise<StoreMeasures>;
    /**
     * Deletes orders whose payments were all settled longer ago than this, at which nobody has to look again, and of
     * which the merchant has been told everything. Gives the number of payments deleted.
     *
     * Think in months, and never in less than an hour: a deleted order is unknown, so that asked for again, it would be
     * paid again.
     */
    purge: (olderThanMs: number) => Promise<number>;
    /** Lets go of connections. */
    close: () => Promise<void>;
  };

/** The verification budget, see `verification/permits.ts`. Moments in milliseconds on the store's clock. */
export type BudgetState = {
  ratePerSecond: number;
  /** What may be taken now. Negative where more has been taken. */
  permits: number;
  /** When `permits` was counted. */
  atMs: number;
  /** Whether more was wanted than there was. */
  isShort: boolean;
  /** The rate at which the service last refused a request; `null` until it has. */
  limitPerSecond: number | null;
  /** Whether the refusal before that came at about the same rate. */
  isLimitSure: boolean;
  decreasedAtMs: number | null;
  /** No permit before this moment. */
  pausedUntilMs: number;
};

export type StoreMeasures = {
  /** How long the oldest pending payment has waited for its money; `null` when none waits. */
  oldestUnpaidMs: number | null;
  /** How long the oldest payment whose money has come (`confirming`) has waited to be confirmed; `null` when none does. */
  oldestConfirmingMs: number | null;
  /** How long the most overdue payment has been due; 0 when none is. */
  checkLagMs: number;
  /** How many effects wait or run. */
  pendingOutboxEvents: number;
  /** How many effects a person has to decide on. */
  deadLetters: number;
};
