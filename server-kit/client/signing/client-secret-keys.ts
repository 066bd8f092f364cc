import * as v from 'valibot';
import { isBare, isRepetitive, mustBeBare } from './guessable-keys.ts';

const minKeyLength = 32;

/** A secret key of a merchant's own. */
export const SecretKey = v.pipe(
  v.string('must be a text'),
  v.minLength(minKeyLength, `must have at least ${minKeyLength} characters`),
  v.check(isBare, mustBeBare),
  v.check((key) => !isRepetitive(key), 'must not repeat itself; make one with: openssl rand -hex 32'),
);

/** The keys of the client secrets: the first signs, all verify. Cast, because valibot's array schema does not accept readonly arrays. */
export const ClientSecretKeys = v.pipe(
  v.array(SecretKey, 'must be a list, with the key that signs first: [key]'),
  v.minLength(1, 'must hold at least one key; make one with: openssl rand -hex 32'),
) as v.GenericSchema<readonly string[]>;
