import { sandboxCredentials } from '../../sandbox/settings/credentials.ts';
import { type VerifyCallbackInput, verifyCallback } from '../../signing/callbacks.ts';
import { refusalOf } from './verdict.ts';

/** Usual mistakes with callbacks: what to say where the changed input is valid. */
const guesses: readonly {
  hint: string;
  change: (input: VerifyCallbackInput) => Partial<VerifyCallbackInput>;
}[] = [
  {
    hint: 'The registered URL differs by the slash at its end.',
    change: ({ callbackUrl }) => ({
      callbackUrl: callbackUrl.endsWith('/') ? callbackUrl.slice(0, -1) : `${callbackUrl}/`,
    }),
  },
  {
    hint: 'The registered URL differs in http and https.',
    change: ({ callbackUrl }) => ({
      callbackUrl: callbackUrl.replace(/^http(s?):/i, (_scheme, s: string) =>
        s === '' ? 'https:' : 'http:',
      ),
    }),
  },
  {
    hint: "It is signed with the sandbox's own secret; the secret here is another.",
    change: () => ({ secrets: [sandboxCredentials.apiSecret] }),
  },
];

/** What the sender or the receiver may have done wrong, for a callback whose signature does not match. */
export async function findCallbackHints(input: VerifyCallbackInput): Promise<string[]> {
  const hints: string[] = [];
  for (const { hint, change } of guesses) {
    if ((await refusalOf(verifyCallback({ ...input, ...change(input) }))) === undefined) hints.push(hint);
  }
  return hints.length > 0
    ? hints
    : [
        'Compare URL, data hash and signed text with yours, in this order; where all are equal, the secret is another.',
      ];
}
