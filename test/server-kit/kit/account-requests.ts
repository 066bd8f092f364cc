import type { DedicatedAccountRequest } from '../../../server-kit/service/dedicated-account.ts';

/** Section 4.1: a request for a person, with every field. */
export const individual = {
  callbackUrl: 'https://shop.example/callbacks',
  currency: 'NGN',
  accountType: 'individual',
  accountName: 'Ada Obi',
  email: 'ada@example.com',
  preferredBank: 'sandbox_mfb',
  kycProfile: {
    firstName: 'Ada',
    lastName: 'Obi',
    otherName: 'Ngozi',
    gender: 'female',
    countryOfOrigin: 'NG',
    phoneNumber: '+234 (803) 123-4567',
    dateOfBirth: '1990-02-28',
    bankAccountNumber: '0000014579',
    bankId: 'bank_011',
    identities: [{ type: 'bvn', number: '22212345678' }],
  },
} satisfies DedicatedAccountRequest;

/** Section 4.1: a request for a business. The interface shows two fields of its profile. */
export const business = {
  callbackUrl: 'https://shop.example/callbacks',
  currency: 'USD',
  accountType: 'business',
  accountName: 'Obi Ltd',
  email: 'office@example.com',
  kybProfile: { firstName: 'Ada', countryOfIncorporation: 'NG', taxNumber: '1' },
} satisfies DedicatedAccountRequest;
