/** The words that can come after the account is shown, in English: how each story goes on, and what to do. */
export const enMore = {
  partlyPaidLead: '{charged} of {amount} has arrived.',
  missing: 'Missing',
  pressToCopy: 'Press and hold to copy',
  lostLead: 'If you have sent the money, the shop will confirm it. Keep your reference.',
  checkAgain: 'Check again',
  showQr: 'Show QR code',
  hideQr: 'Hide QR code',
  qrLabel: 'QR code with the account details',
  qrFailed: 'The QR code could not be loaded. Use the details above.',

  confirmingLead: 'We are confirming it with the bank. Please don’t send it again.',
  succeededLead: 'Thank you. There is nothing more to do.',
  expiredLead: 'Already sent it? It is not lost: we keep looking, and confirm it when it arrives.',
  newAccount: 'Get a new account number',
  failedLead: 'If money has left your bank account, give the shop this reference.',
  reversedLead: 'The money goes back to the account it came from. Questions? Give the shop this reference.',
  amountMismatchLead: 'Please don’t send more. The shop will be in touch with you.',
  unavailableLead: 'Try again, or ask the shop for help.',
  unreachableLead: 'The shop could not be reached. Check your connection and try again.',
  backToShop: 'Back to the shop',
} as const;
