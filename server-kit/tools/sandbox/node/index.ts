/**
 * The sandbox as a server on node:http, with its control panel and its records in a file.
 */
export { DataFileError, openDataFile } from './data-file.ts';
export { fetchToNodeListener, type NodeListener } from './fetch-listener.ts';
export { createSandboxListener, type SandboxListenerOptions } from './listener.ts';
export { type SandboxServer, type SandboxServerOptions, startSandboxServer } from './server.ts';
