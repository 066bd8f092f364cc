/**
 * The words that the checkout needs before and while it shows the account, and one line for every other state, in
 * English. `{amount}` and the like are filled in. Read by people who are worried about their money: short, plain, certain.
 */
export const en = {
  loading: 'Getting your account number…',
  stillTrying: 'Still trying…',
  testMode: 'Test mode',

  transferTitle: 'Transfer {amount}',
  transferLead: 'to this account, once',
  partlyPaidTitle: 'Transfer the missing {missing}',
  accountNumber: 'Account number',
  bankName: 'Bank',
  accountName: 'Account name',
  amount: 'Amount',
  reference: 'Reference',
  copy: 'Copy',
  copied: 'Copied',

  timeLeft: 'Time left',
  timeIsUp: 'Time is up. Checking…',
  waiting: 'Waiting for your transfer',
  waitingLead: 'It usually arrives within a minute. This page will tell you.',
  offline: 'You are offline',
  retrying: 'Connection lost. Retrying…',
  lost: 'This page can no longer see your payment',

  checkingTitle: 'We are looking for your transfer',
  unclearTitle: 'We are checking this payment',
  unclearWarning: 'Please don’t send money now.',
  confirmingTitle: 'Your transfer has arrived',
  succeededTitle: 'Payment received',
  expiredTitle: 'This account number has expired',
  replacedTitle: 'This account number is no longer in use',
  expiredWarning: 'Do not send money to this account.',
  receivedLateTitle: 'Your money has arrived late',
  failedTitle: 'The payment did not go through',
  reversedTitle: 'The payment was reversed',
  amountMismatchTitle: '{charged} arrived instead of {amount}',
  unavailableTitle: 'We can’t show an account number right now',
  tryAgain: 'Try again',
} as const;
