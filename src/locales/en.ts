/**
 * The words that the checkout needs before and while it shows the account, and one line for what may follow at
 * once, in English. `{amount}` and the like are filled in. Read by people who are worried about their money: short, plain, certain.
 */
export const en = {
  loading: 'Getting your account number…',
  lookingUp: 'Looking up your payment…',
  stillTrying: 'Still trying…',

  transferTitle: 'Transfer {amount}',
  transferLead: 'exactly this amount, once',
  partlyPaidTitle: 'Transfer the missing {missing}',
  accountNumber: 'Account number',
  bankName: 'Bank',
  accountName: 'Account name',
  amount: 'Amount',
  copy: 'Copy',
  copied: 'Copied',
  pressToCopy: 'Press and hold to copy',

  confirmingTitle: 'Your transfer has arrived',
  succeededTitle: 'Payment received',
  expiredTitle: 'This account number has expired',
  expiredWarning: 'Do not send money to this account.',
  unavailableTitle: 'We can’t show an account number right now',
  tryAgain: 'Try again',
} as const;
