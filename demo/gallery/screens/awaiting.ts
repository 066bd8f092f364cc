import {
  emptied,
  everything,
  inTest,
  longAccount,
  shop,
  shown,
  sign,
  waiting,
  wordmark,
} from './fixtures.ts';
import type { GalleryScreen } from './gallery-screen.ts';

export const awaitingScreens: readonly GalleryScreen[] = [
  { name: 'awaitingTransfer', state: shown('awaitingTransfer') },
  { name: 'awaitingTransfer-test', state: shown('awaitingTransfer', inTest) },
  { name: 'awaitingTransfer-copied', state: shown('awaitingTransfer'), press: ['.accountNumber button'] },
  { name: 'awaitingTransfer-amountCopied', state: shown('awaitingTransfer'), press: ['.amount button'] },
  {
    name: 'awaitingTransfer-pressToCopy',
    state: shown('awaitingTransfer'),
    press: ['.accountNumber button'],
    clipboard: 'refuses',
  },
  {
    name: 'awaitingTransfer-lastMinute',
    state: { ...shown('awaitingTransfer'), serviceOffsetMs: Date.parse('2026-11-21T14:29:18Z') },
  },
  {
    name: 'awaitingTransfer-timeIsUp',
    state: { ...shown('awaitingTransfer'), serviceOffsetMs: Date.parse(waiting.expiresAt) },
  },
  {
    name: 'awaitingTransfer-timeIsUpOffline',
    state: {
      ...shown('awaitingTransfer'),
      serviceOffsetMs: Date.parse(waiting.expiresAt),
      isOffline: true,
      checkedAtMs: -40_000,
    },
  },
  {
    name: 'awaitingTransfer-days',
    state: shown('awaitingTransfer', { expiresAt: '2026-11-24T14:00:00Z' }),
  },
  {
    name: 'awaitingTransfer-clockUnknown',
    state: { ...shown('awaitingTransfer'), serviceOffsetMs: undefined },
  },
  {
    name: 'awaitingTransfer-offline',
    state: { ...shown('awaitingTransfer'), isOffline: true, checkedAtMs: -40_000 },
  },
  { name: 'awaitingTransfer-retrying', state: shown('awaitingTransfer', {}, 'retrying') },
  { name: 'awaitingTransfer-failing', state: shown('awaitingTransfer', {}, 'failing') },
  { name: 'awaitingTransfer-lost', state: shown('awaitingTransfer', {}, 'lost') },
  {
    name: 'awaitingTransfer-qr',
    state: shown('awaitingTransfer'),
    settings: { payLink: 'https://kolas-bookshop.example/pay/1001' },
    press: ['[data-action="qr"]'],
  },
  { name: 'awaitingTransfer-leaving', state: shown('awaitingTransfer'), press: ['[data-action="back"]'] },
  {
    name: 'awaitingTransfer-long',
    state: shown('awaitingTransfer', {
      ...inTest,
      account: longAccount,
      amount: { value: 123_456_789_000, currency: 'NGN' },
      reference: 'a-reference-that-is-longer-than-a-phone-is-wide-0123456789-0123456789',
    }),
    settings: { merchantName: 'Chimamanda Adichie-Obiechina & Daughters Bookshop and Stationery' },
  },
  {
    name: 'awaitingTransfer-tiny',
    state: shown('awaitingTransfer', { amount: { value: 1, currency: 'NGN' } }),
  },
  {
    name: 'awaitingTransfer-noDecimals',
    state: shown('awaitingTransfer', { amount: { value: 12_500, currency: 'JPY' } }),
  },
  {
    name: 'awaitingTransfer-noAccountName',
    state: shown('awaitingTransfer', { account: { ...waiting.account, name: '' } }),
  },
  {
    name: 'awaitingTransfer-earlierMoney',
    state: shown('awaitingTransfer', { reference: 'order-1001-2', orderChargedAmount: 500_000 }),
  },
  { name: 'awaitingTransfer-everything', state: shown('awaitingTransfer'), settings: everything },
  {
    name: 'awaitingTransfer-ussd',
    state: shown('awaitingTransfer'),
    settings: everything,
    press: ['.ussd summary'],
  },
  {
    name: 'awaitingTransfer-logo',
    state: shown('awaitingTransfer', inTest),
    settings: { logo: { src: sign, alt: '' } },
  },
  {
    name: 'awaitingTransfer-wordmark',
    state: shown('awaitingTransfer'),
    settings: { logo: { src: wordmark, alt: 'Kola’s Bookshop' } },
  },
  { name: 'awaitingTransfer-bare', state: shown('awaitingTransfer'), settings: emptied(shop) },
];
