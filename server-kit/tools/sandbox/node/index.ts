/**
 * The sandbox as a server on node:http, with its control panel and its records in a file.
 */

export { fetchToNodeListener, type NodeListener } from '../../../node.ts';
export { DataFileError, openDataFile } from './data-file.ts';
export { createSandboxListener, type SandboxListenerOptions } from './listener.ts';
export { type SandboxServer, type SandboxServerOptions, startSandboxServer } from './server.ts';
