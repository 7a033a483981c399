import { startTcpServer } from '../test/support/peers/tcp-server';
import { inTurn, median, round, wallMs } from './measure/in-turn';
import type { BenchResult } from './result';
import { ADMIN, startProbedService } from './service/probed-service';

/** More than may talk to the directory at once, so that some wait in the queue as well. */
const HANGING_LOGINS = 12;
const LOGINS = 3;
const WARM_UP = 2;
const ROUNDS = 9;

/** A directory that hangs: does the sign-in of local users take longer than without a directory? */
export async function run(): Promise<BenchResult[]> {
  const directory = await startSilentServer();
  const without = await startProbedService();
  const hanging = await startProbedService({ SPRING_SECURITY_LDAP_URLS: directory.url });
  const over = new AbortController();
  try {
    let answered = 0;
    for (let index = 0; index < HANGING_LOGINS; index += 1)
      void signIn(hanging.url, `user${index}@bench.test`, over.signal).then(
        () => (answered += 1),
        () => undefined,
      );
    await directory.reached;
    const times = await inTurn(
      {
        without: () => wallMs(() => localLogins(without.url)),
        hanging: () => wallMs(() => localLogins(hanging.url)),
      },
      { warmUp: WARM_UP, rounds: ROUNDS },
    );
    const [aloneMs, hangingMs] = [median(times.without) / LOGINS, median(times.hanging) / LOGINS];
    return [
      {
        name: 'local sign-in with a directory that hangs, relative to no directory',
        value: round(hangingMs / aloneMs),
        unit: '',
        target: { below: 1.5 },
        judged: true,
        detail: `${round(hangingMs)} ms and ${round(aloneMs)} ms, medians of ${ROUNDS} rounds`,
      },
      {
        name: 'sign-ins that wait for the directory during the rounds',
        value: HANGING_LOGINS - answered,
        unit: '',
        detail: `${directory.sockets.open} connections`,
      },
    ];
  } finally {
    over.abort();
    await directory.close();
    await Promise.all([without.close(), hanging.close()]);
  }
}

async function signIn(url: string, email: string, signal?: AbortSignal): Promise<number> {
  const response = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...ADMIN, email }),
    signal,
  });
  await response.arrayBuffer();
  return response.status;
}

async function localLogins(url: string): Promise<void> {
  for (let count = 0; count < LOGINS; count += 1) {
    const status = await signIn(url, ADMIN.email);
    if (status !== 200) throw new Error(`A local sign-in was answered with ${status}.`);
  }
}

/** Accepts connections and sends nothing. `reached` resolves at the first one. */
async function startSilentServer() {
  let resolveReached = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    resolveReached = resolve;
  });
  const { port, ...server } = await startTcpServer((socket) => {
    socket.resume();
    resolveReached();
  });
  return { ...server, url: `ldap://127.0.0.1:${port}`, reached };
}
