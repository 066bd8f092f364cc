/**
 * Every word that the checkout shows, in English. `{amount}` and the like are filled in. Read by people who are
 * worried about their money: short, plain, certain.
 */
export const en = {
  loading: 'Getting your account number…',
  stillTrying: 'Still trying…',
  testMode: 'Test mode',

  transferTitle: 'Transfer {amount}',
  transferLead: 'to this account, once',
  accountNumber: 'Account number',
  bankName: 'Bank',
  accountName: 'Account name',
  amount: 'Amount',
  reference: 'Reference',
  timeLeft: 'Time left',
  waiting: 'Waiting for your transfer',
  waitingLead: 'Keep this page open. Transfers usually arrive within a minute.',
  timeIsUp: 'Time is up. Checking for your transfer…',
  partlyPaid: '{charged} has arrived',
  partlyPaidLead: 'Send the missing {missing} to the same account.',
  retrying: 'Connection lost. Trying again…',
  lost: 'We can’t check from here any more',
  lostLead: 'If you have sent the money, it is safe: the shop will confirm it. Keep your reference.',
  checkAgain: 'Check again',

  copy: 'Copy',
  copyLabel: 'Copy {field}',
  copied: 'Copied',
  pressToCopy: 'Press and hold to copy',
  showQr: 'Show QR code',
  hideQr: 'Hide QR code',
  qrLabel: 'QR code with the account details',
  qrFailed: 'The QR code could not be loaded. Use the details above.',

  confirmingTitle: 'Your transfer has arrived',
  confirmingLead: 'We are confirming it with the bank. Please don’t send it again.',
  succeededTitle: 'Payment received',
  succeededLead: 'Thank you. You have paid {amount}.',
  expiredTitle: 'This account number has expired',
  expiredWarning: 'Do not send money to it.',
  expiredLead: 'Already sent it? It is not lost: we keep looking, and confirm it when it arrives.',
  replacedTitle: 'This account number is no longer in use; your order has changed',
  newAccount: 'Get a new account number',
  failedTitle: 'The payment did not go through',
  failedLead: 'If money has left your bank account, contact the shop with this reference.',
  reversedTitle: 'The payment was reversed',
  reversedLead: 'The money goes back to the account it came from. Questions? Give the shop this reference.',
  amountMismatchTitle: '{charged} arrived instead of {amount}',
  amountMismatchLead: 'Please don’t send more. The shop will be in touch about it.',
  unavailableTitle: 'We can’t show an account number right now',
  unavailableLead: 'You have not been charged.',
  unreachableLead: 'The shop could not be reached. Check your connection.',
  tryAgain: 'Try again',
  backToShop: 'Back to the shop',
} as const;

/** The words of the checkout by key. */
export type Messages = { readonly [Key in keyof typeof en]: string };
