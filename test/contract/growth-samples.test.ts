import { listQueries } from '../../bench/growth/queries';

// Requests for long lists are generated from the schema; a new filter needs a sample.
it('every list filter has a sample value', () => {
  const lists = new Set(listQueries(1).map(({ name }) => name.split(' ', 1)[0]));
  expect(lists.size).toBeGreaterThan(10);
});
