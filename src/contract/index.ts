export * from './dedicated-account.ts';
export * from './errors.ts';
export * from './link.ts';
export * from './money.ts';
export * from './problem.ts';
export * from './routes.ts';
export * from './session.ts';
export * from './web-url.ts';
