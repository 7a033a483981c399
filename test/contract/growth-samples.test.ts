import { listQueries } from '../../bench/growth/queries';

// What long lists are asked is made from the schema; a filter that came since has a sample, too.
it('every filter of every list has a sample to be asked with', () => {
  const lists = new Set(listQueries(1).map(({ name }) => name.split(' ', 1)[0]));
  expect(lists.size).toBeGreaterThan(10);
});
