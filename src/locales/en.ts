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
  partlyPaidTitle: 'Transfer the missing {missing}',
  partlyPaidLead: '{charged} of {amount} has arrived.',
  accountNumber: 'Account number',
  bankName: 'Bank',
  accountName: 'Account name',
  amount: 'Amount',
  missing: 'Still missing',
  reference: 'Reference',

  timeLeft: 'Time left',
  timeIsUp: 'Time is up. Checking for your transfer…',
  waiting: 'Waiting for your transfer',
  waitingLead: 'It usually arrives within a minute. This page will tell you.',
  retrying: 'Connection lost. Trying again…',
  lost: 'This page can no longer see your payment.',
  lostLead: 'If you have sent the money, the shop will confirm it. Keep your reference.',
  checkAgain: 'Check again',

  copy: 'Copy',
  copied: 'Copied',
  pressToCopy: 'Press and hold to copy',
  showQr: 'Show QR code',
  hideQr: 'Hide QR code',
  qrLabel: 'QR code with the account details',
  qrFailed: 'The QR code could not be loaded. Use the details above.',

  confirmingTitle: 'Your transfer has arrived',
  confirmingLead: 'We are confirming it with the bank. Please don’t send it again.',
  succeededTitle: 'Payment received',
  succeededLead: 'Thank you. There is nothing more to do.',
  expiredTitle: 'This account number has expired',
  replacedTitle: 'This account number is no longer in use; your order has changed',
  expiredWarning: 'Do not send money to it.',
  expiredLead: 'Already sent it? It is not lost: we keep looking, and confirm it when it arrives.',
  newAccount: 'Get a new account number',
  failedTitle: 'The payment did not go through',
  failedLead: 'If money has left your bank account, give the shop this reference.',
  reversedTitle: 'The payment was reversed',
  reversedLead: 'The money goes back to the account it came from. Questions? Give the shop this reference.',
  amountMismatchTitle: '{charged} arrived instead of {amount}',
  amountMismatchLead: 'Please don’t send more. The shop will be in touch with you.',
  unavailableTitle: 'We can’t show an account number right now',
  unavailableLead: 'Try again, or ask the shop for help.',
  unreachableLead: 'The shop could not be reached. Check your connection and try again.',
  loadFailed: 'The payment details could not be loaded. Check your connection and load this page again.',
  tryAgain: 'Try again',
  backToShop: 'Back to the shop',
} as const;

/** The words of the checkout by key. */
export type Messages = { readonly [Key in keyof typeof en]: string };
