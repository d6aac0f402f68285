/**
 * `node:http` as it is, and not as the ES module of that name: importing that one reads all its exports, and so loads a
 * whole client for WebSocket and fetch, which takes a sixth of a host's start.
 */
export const { createServer } = process.getBuiltinModule('node:http');
