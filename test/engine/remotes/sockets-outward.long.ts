import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const LISTENING = `import { createServer, IncomingMessage } from 'node:http';\nimport type { Socket } from 'node:net';\nimport { isIP } from 'net';\nimport { WebSocketServer } from 'ws';\nimport type { WebSocket } from 'ws';\nexport const all = [createServer, IncomingMessage, isIP, WebSocketServer, (fetch: Socket | WebSocket) => fetch];`;
const PLANTED = [
  'export const answer = fetch("http://a.example/");',
  'export const answer = globalThis.fetch("http://a.example/");',
  'const { fetch: call } = globalThis; export default call;',
  'export const socket = new WebSocket("ws://a.example/");',
  'import { request } from "node:http"; export default request;',
  'import { get } from "https"; export default get;',
  'import http from "node:http"; export default http;',
  'import * as http from "http"; export default http.request;',
  'import { Agent } from "undici"; export default Agent;',
  'import { Client } from "@grpc/grpc-js"; export default Client;',
  'export const later = require("@grpc/grpc-js");',
  'import Agent from "undici/lib/dispatcher/agent"; export default Agent;',
  'export const later = require("undici/lib/dispatcher/agent");',
  'import { connect } from "node:net"; export default connect;',
  'import { Socket } from "node:net"; export default new Socket().connect(1);',
  'import * as tls from "node:tls"; export default tls;',
  'import http2 from "node:http2"; export default http2;',
  'import WebSocket from "ws"; export default WebSocket;',
  'import { lookup } from "node:dns/promises"; export default lookup;',
  'export const later = import("node:http");',
  'export const now = require("net");',
  'import http = require("node:http"); export default http;',
  'export { request } from "node:https";',
  'export * from "undici";',
];

function lint(snippets: readonly (readonly [string, string])[]): string[][] {
  const run = spawnSync(process.execPath, [join(__dirname, '../../support/lint-snippets.mjs')], {
    input: JSON.stringify(snippets),
    encoding: 'utf8',
    cwd: join(__dirname, '../../..'),
  });
  return run.stdout === '' ? [[run.stderr]] : (JSON.parse(run.stdout) as string[][]);
}

describe('an outbound socket', () => {
  it('is opened only by platform/outbound: the linter reports all other ways, and allows servers to listen', () => {
    const rulesByFile = lint([
      ...PLANTED.map((text) => ['src/features/users/planted.ts', text] as const),
      ['src/platform/http/planted.ts', LISTENING],
      ['src/platform/outbound/planted.ts', PLANTED.slice(4, 6).join('\n')],
    ]);
    const missed = PLANTED.filter(
      (_, index) =>
        !rulesByFile[index]?.some((rule) => /^(?:@typescript-eslint\/)?no-restricted-/.test(rule)),
    );
    expect(missed).toEqual([]);
    expect(rulesByFile.slice(PLANTED.length)).toEqual([[], []]);
  });
});
