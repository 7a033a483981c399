/** @jest-environment node */
import { auditServer } from 'graphql-http';
import { openLibrary } from '../support/graphql/open-library';
import type { Library } from '../support/graphql/open-library';

describe('the public GraphQL over HTTP audit', () => {
  let library: Library;
  beforeAll(async () => {
    library = await openLibrary();
  });
  afterAll(() => library.stop());

  it.each(['/graphql', '/api/graphql'])(
    '%s passes at least 58 of 61 checks, without an error',
    async (path) => {
      const results = await auditServer({ url: library.url + path, fetchFn: fetch });
      const missed = results
        .filter(({ status }) => status !== 'ok')
        .map((result) => `${result.status}: ${result.id} ${result.name}`);
      expect(results).toHaveLength(61);
      expect(missed.filter((entry) => entry.startsWith('error'))).toEqual([]);
      expect(results.length - missed.length).toBeGreaterThanOrEqual(58);
    },
  );
});
