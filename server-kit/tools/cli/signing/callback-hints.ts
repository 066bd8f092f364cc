import { type VerifyCallbackInput, verifyCallback } from '../../../client/signing/callbacks.ts';
import { sandboxCredentials } from '../../../client/signing/guessable-keys.ts';
import { refusalOf } from './verdict.ts';

/** Common mistakes with callbacks. The hint applies when the changed input is valid. */
const mistakes: readonly {
  hint: string;
  change: (input: VerifyCallbackInput) => Partial<VerifyCallbackInput>;
}[] = [
  {
    hint: 'The registered URL differs in its final slash.',
    change: ({ callbackUrl }) => ({
      callbackUrl: callbackUrl.endsWith('/') ? callbackUrl.slice(0, -1) : `${callbackUrl}/`,
    }),
  },
  {
    hint: 'The registered URL differs in its scheme: http or https.',
    change: ({ callbackUrl }) => ({
      callbackUrl: callbackUrl.replace(/^http(s?):/i, (_scheme, s: string) =>
        s === '' ? 'https:' : 'http:',
      ),
    }),
  },
  {
    hint: "It is signed with the sandbox's own secret, which is not the secret here.",
    change: () => ({ secrets: [sandboxCredentials.apiSecret] }),
  },
];

/** Returns probable mistakes for a callback whose signature does not match. */
export async function findCallbackHints(input: VerifyCallbackInput): Promise<string[]> {
  const hints: string[] = [];
  for (const { hint, change } of mistakes) {
    if ((await refusalOf(verifyCallback({ ...input, ...change(input) }))) === undefined) hints.push(hint);
  }
  return hints.length > 0
    ? hints
    : [
        'Compare URL, data hash and signed text with yours, in this order; if all are equal, the secrets differ.',
      ];
}
