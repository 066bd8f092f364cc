import { expect, it } from 'vitest';
import { describePublicApi } from './public-api.ts';

it('the public names and types are those of public-api.txt (otherwise run `npx vitest run test/source -u`, and review its changes)', () => {
  return expect(describePublicApi()).toMatchFileSnapshot('public-api.txt');
});
