import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerJson, startRemote } from '../engine/support/remote';
import { startService } from '../support/service/harness';
import { ROOT } from '../support/process';

/** A request of the guide, and its documented answer. */
interface Example {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly body: unknown;
  };
  readonly status: number;
  readonly answer: unknown;
}

function examplesIn(guide: string, stands: string, url: string): Example[] {
  const blocks = [...guide.matchAll(/```http\n([\s\S]*?)```/g)].map(([, text]) =>
    text.trim().replaceAll(stands, url).split('\n'),
  );
  const json = (lines: readonly string[]): unknown =>
    lines.length === 0 ? undefined : JSON.parse(lines.join('\n'));
  return blocks
    .filter((_, at) => at % 2 === 0)
    .map(([first, ...rest], at) => {
      const [method, path] = first.split(' ');
      const headers = rest
        .filter((line) => /^[\w-]+: /.test(line))
        .map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]);
      const [status, ...answer] = blocks[2 * at + 1];
      return {
        request: {
          method,
          path,
          headers: Object.fromEntries(headers),
          body: json(rest.slice(headers.length)),
        },
        status: Number(status),
        answer: json(answer),
      };
    });
}

it('the service answers each example request in docs/connectors.md as documented', async () => {
  const remote = await startRemote(({ headers, url }, response) =>
    answerJson(response, {}, headers.authorization === 'Bearer t0ken' && url === '/me' ? 200 : 401),
  );
  const service = await startService({
    env: { HYPHA_CONNECTOR_MASTER_PASSWORD: 'the master password' },
  });
  const examples = examplesIn(
    readFileSync(join(ROOT, 'docs/connectors.md'), 'utf8'),
    'https://tickets.example',
    remote.url,
  );
  expect(examples).toHaveLength(8);
  for (const {
    request: { method, path, headers, body },
    status,
    answer,
  } of examples) {
    const got = await service.api(method, path, { headers, body });
    expect([path, got.status]).toEqual([path, status]);
    if (answer !== undefined) expect(got.body).toMatchObject(answer as object);
  }
  await service.close();
  await remote.close();
});
