import { expect, it } from 'vitest';
import { toResponse } from '../../../../../server-kit/tools/sandbox/http/responses.ts';
import { expectRefusal, read, startMs } from '../sandbox-kit.ts';

it('returns the error envelope for a response that is too long for one string', async () => {
  // What JSON.stringify throws for half a gigabyte and more, without the half gigabyte.
  const body = {
    toJSON() {
      throw new RangeError('Invalid string length');
    },
  };
  const response = await read(toResponse({ status: 200, body }, 'GET', startMs));
  expectRefusal(response, 500, 'internal_error');
  expect(response.body.error.message).toMatch(/too long for one string/);
});
