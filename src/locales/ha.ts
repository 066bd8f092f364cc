import type { Messages } from './messages.ts';

/** Hausa, in the standard spelling with hooked letters; the shopper is addressed in the plural, which has no gender. Nobody who speaks it has reviewed it yet. */
export const ha: Messages = {
  loading: 'Muna samo muku lambar asusu…',
  stillTrying: 'Muna ci gaba da ƙoƙari…',
  testMode: 'Yanayin gwaji',

  transferTitle: 'Ku tura {amount}',
  transferLead: 'zuwa wannan asusun, sau ɗaya kawai',
  partlyPaidTitle: 'Ku tura ragowar {missing}',
  accountNumber: 'Lambar asusu',
  bankName: 'Banki',
  accountName: 'Sunan asusu',
  amount: 'Adadin kuɗi',
  reference: 'Lambar shaida',
  copy: 'Kwafi',
  copied: 'An kwafa',

  waiting: 'Muna jiran kuɗin da za ku tura',
  waitingLead: 'Yawanci sukan iso cikin minti ɗaya. Wannan shafin zai sanar da ku.',

  confirmingTitle: 'Kuɗin da kuka tura sun iso',
  succeededTitle: 'An karɓi kuɗin',
  expiredTitle: 'Lokacin wannan lambar asusu ya ƙare',
  expiredWarning: 'Kada ku tura kuɗi zuwa wannan asusun.',
  unavailableTitle: 'Ba za mu iya nuna lambar asusu a yanzu ba',
  tryAgain: 'Sake gwadawa',

  timeLeft: 'Lokacin da ya rage',
  timeIsUp: 'Lokaci ya cika. Muna dubawa…',
  offline: 'Babu intanet',
  retrying: 'Haɗi ya katse. Muna sake gwadawa…',
  lost: 'Wannan shafin ba ya iya ganin biyan kuɗinku yanzu',

  checkingTitle: 'Muna neman kuɗin da kuka tura',
  unclearTitle: 'Muna duba wannan biyan kuɗin',
  unclearWarning: 'Don Allah kada ku tura kuɗi yanzu.',
  replacedTitle: 'An daina amfani da wannan lambar asusu',
  receivedLateTitle: 'Kuɗinku sun iso a makare',
  failedTitle: 'Biyan kuɗin bai yi nasara ba',
  reversedTitle: 'An mayar da kuɗin',
  amountMismatchTitle: '{charged} suka iso maimakon {amount}',

  partlyPaidLead:
    '{charged} daga cikin {amount} sun iso. Ku tura ragowar zuwa wannan asusun dai kafin ƙarfe {time}.',
  missing: 'Ragowa',
  pressToCopy: 'Ku danna ku riƙe don kwafi',
  lostLead: 'Idan kun tura kuɗin, shagon zai tabbatar. Ku ajiye lambar shaidarku.',
  checkAgain: 'Sake dubawa',
  offlineLead: 'Bayanan suna nan. Za mu duba da zarar intanet ta dawo.',
  lastChecked: 'Tun dubawar ƙarshe: {time}.',
  showQr: 'Nuna lambar QR',
  hideQr: 'Ɓoye lambar QR',
  qrLabel: 'Lambar QR mai ɗauke da bayanan asusun',
  qrFailed: 'Lambar QR ba ta buɗe ba. Ku yi amfani da bayanan da ke sama.',
  spokenTimeLeft: 'Lokacin da ya rage don biya bai wuce {time} ba.',

  sent: 'Na tura kuɗin',
  notSent: 'Ban tura ba tukuna',
  checkingLead:
    'Yawanci sukan iso cikin minti ɗaya. Wasu bankuna sukan ɗauki lokaci. Don Allah kada ku sake turawa.',
  checkingLate:
    'Lokaci ya cika, amma kuɗinku ba su ɓace ba: muna ci gaba da nema. Don Allah kada ku sake turawa.',
  unclearLead: 'Muna ci gaba da tambaya, kuma wannan shafin zai faɗa muku abin da zai biyo baya.',
  confirmingLead: 'Muna tabbatarwa da banki. Don Allah kada ku sake turawa.',
  succeededLead: 'Mun gode. Babu abin da ya rage ku yi.',
  overpaidLead: '{charged} sun iso: sun fi abin da aka nema da {excess}.',
  paidAt: 'Kwanan wata',
  received: 'An karɓa',
  expiredQuestion: 'Shin kun riga kun tura kuɗin?',
  expiredLead: 'To, ba su ɓace ba. Ku faɗa mana, za mu ci gaba da neman su.',
  expiredElse: 'Idan ba ku tura komai ba:',
  newAccount: 'Samo sabuwar lambar asusu',
  replacedLead:
    'Odarku ta canza, kuma tana da wata lambar asusu. Idan kun tura kuɗi zuwa wannan asusun, ku sanar da shagon.',
  currentAccount: 'Nuna lambar asusun da za a yi amfani da ita',
  receivedLateLead: '{charged} sun iso bayan lokaci ya cika.',
  latePolicy: 'Shagon ya sani, kuma zai faɗa muku yadda odarku za ta ci gaba.',
  failedLead: 'Idan kuɗi sun fita daga asusunku na banki, za a iya gano su.',
  reversedLead: 'Kuɗin za su koma asusun da suka fito.',
  amountMismatchLead: 'Don Allah kada ku ƙara turawa. Shagon ne zai yanke shawara kan abin da zai biyo baya.',
  refundPolicy: 'Ku tambayi shagon game da kuɗinku, ku ba shi wannan lambar shaida.',
  unavailableLead: 'Ku sake gwadawa, ko ku nemi taimakon shagon.',
  unreachableLead: 'Ba a iya samun shagon ba. Ku duba intanet ɗinku, ku sake gwadawa.',

  help: 'Nemi taimako',
  helpSubject: 'Tura kuɗi ta banki {reference}',
  backToShop: 'Koma shago',
  returning: 'Za a koma shago nan da {time}.',
  stayHere: 'Zauna a nan',
  leaveTitle: 'Kada ku fita idan kun tura kuɗin',
  leaveLead:
    'Wannan shafin zai faɗa muku idan sun iso. Idan kun fita, ku ajiye lambar shaidarku; shagon zai tabbatar.',
  leave: 'Fita duk da haka',

  copyAll: 'Kwafi duka',
  details: 'Dukkan bayanai',

  seconds: '{count, plural, other {daƙiƙa #}}',
  minutes: '{count, plural, other {minti #}}',
  hours: '{count, plural, other {awa #}}',
};
