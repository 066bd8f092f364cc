export * from './errors.ts';
export * from './fields.ts';
export * from './routes.ts';
export * from './session.ts';
export * from './stored-payments.ts';
export * from './web-url.ts';
