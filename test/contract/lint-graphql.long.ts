import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The schema rules that a text violates when checked as the schema file. */
function broken(file: string, text: string): string[] {
  const { stdout } = spawnSync(
    process.execPath,
    [
      'node_modules/eslint/bin/eslint.js',
      '-c',
      'eslint.graphql.config.mjs',
      '--stdin',
      '--stdin-filename',
      file,
      '-f',
      'json',
    ],
    { encoding: 'utf8', input: text },
  );
  const [{ messages }] = JSON.parse(stdout) as [
    { messages: { ruleId: string | null; message: string }[] },
  ];
  return [
    ...new Set(
      messages.map(({ ruleId, message }) => ruleId?.replace('@graphql-eslint/', '') ?? message),
    ),
  ].sort();
}

describe('the schema check', () => {
  it('fails for a missing description, an invalid name or an invalid Relay connection', () => {
    const sdl = readFileSync('schema/schema.graphql', 'utf8');
    const changed = sdl
      .replace('"""Where a run is."""\n', '')
      .replace('"""Waiting for a free slot."""\n', '')
      .replace('"""How many turns it had."""\n', '')
      .replace('  """Which session. Without it: that of this request."""\n', '')
      .replace(/endCursor: String$/m, 'end_cursor: String');
    expect(changed).not.toBe(sdl);
    expect(broken('schema/schema.graphql', changed)).toEqual([
      'naming-convention',
      'relay-page-info',
      'require-description',
    ]);
  });

  it('fails for an operation that is not in the schema', () => {
    expect(
      broken('test/operations/users.graphql', 'query Users { users { nodes { nickname } } }'),
    ).toEqual(['fields-on-correct-type']);
  });
});
