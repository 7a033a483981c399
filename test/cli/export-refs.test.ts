import { RefChecks } from '../../src/features/moving/ref-checks';

async function* records(...all: object[]): AsyncGenerator<object> {
  await Promise.resolve();
  yield* all;
}
async function passed(checks: RefChecks, name: string, ...all: object[]): Promise<number> {
  let count = 0;
  for await (const _record of checks.checked(name, records(...all))) count += 1;
  return count;
}

describe('an export from a store that changes during the export', () => {
  it('fails if a record refers to a content that was not exported', async () => {
    const checks = new RefChecks(true);
    await passed(checks, 'workflow_contents', { _id: 'a/0' }, { _id: 'a/1' });
    expect(await passed(checks, 'workflows', { content: { id: 'a' } })).toBe(1);
    await expect(passed(checks, 'workflow_versions', { content: { id: 'b' } })).rejects.toThrow(
      'The data was changed while it was exported.',
    );
  });

  it('accepts every record of one moment', async () => {
    const checks = new RefChecks(false);
    expect(await passed(checks, 'workflows', { content: { id: 'gone' } })).toBe(1);
  });
});
