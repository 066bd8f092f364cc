export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

/** The checkout that `instrumentation.ts` started. */
const handler = (request: Request): Promise<Response> => globalThis.shopCheckout.handler(request);

export { handler as GET, handler as HEAD, handler as OPTIONS, handler as POST };
