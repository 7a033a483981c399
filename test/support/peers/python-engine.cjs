// A polyglot engine for tests (schema/polyglot.proto): executes Python 3 with a process for each script.
// node python-engine.cjs PORT (0: any): prints its port when it listens. Launched engines get `--port=N`.
const { spawn } = require('node:child_process');
const { join } = require('node:path');
const { Server, ServerCredentials, loadPackageDefinition } = require('@grpc/grpc-js');
const { loadSync } = require('@grpc/proto-loader');

const options = { enums: String, longs: Number, oneofs: true, defaults: true };
const { hypha } = loadPackageDefinition(
  loadSync(join(__dirname, '../../../schema/polyglot.proto'), options),
);

function evaluate(call, done) {
  const { request } = call;
  process.stderr.write(`evaluates ${request.language}\n`);
  if (request.language !== 'python')
    return done(null, {
      failure: { kind: 'LANGUAGE_UNKNOWN', message: `No ${request.language} here.`, line: 0 },
    });
  const python = spawn(
    'python3',
    ['-I', join(__dirname, 'python-engine.py'), String(process.pid)],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  let output = '';
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    python.kill('SIGKILL');
  }, request.timeoutMs);
  call.on('cancelled', () => python.kill('SIGKILL'));
  python.stdout.on('data', (chunk) => {
    output += chunk;
  });
  python.stdin.on('error', () => undefined);
  python.stdin.end(JSON.stringify(request));
  python.once('close', () => {
    clearTimeout(timer);
    if (isLate)
      done(null, { failure: { kind: 'TIMEOUT', message: 'The script took too long.', line: 0 } });
    else if (output === '') done({ code: 13, details: 'python3 ended without an answer' });
    else done(null, JSON.parse(output));
  });
}

const port =
  process.argv
    .slice(2)
    .map((argument) => /^(?:--port=)?(\d+)$/.exec(argument)?.[1])
    .find((digits) => digits !== undefined) ?? '0';
const server = new Server({ 'grpc.max_receive_message_length': -1 });
server.addService(hypha.polyglot.v1.ScriptEngine.service, { evaluate });
const { grpc } = loadPackageDefinition(
  loadSync(join(__dirname, '../../../schema/grpc-health.proto'), options),
);
server.addService(grpc.health.v1.Health.service, {
  check: (_call, done) => done(null, { status: 'SERVING' }),
});
server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) => {
  if (error !== null) throw error;
  process.stdout.write(`${bound}\n`);
});
