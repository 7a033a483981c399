import mongoose from 'mongoose';
import { testService } from '../../support/service/harness';

describe('a failing store', () => {
  const service = testService();
  const failing: jest.SpyInstance[] = [];
  afterEach(() => failing.splice(0).forEach((spy) => spy.mockRestore()));

  /** Every read of the driver fails. */
  const failWith = (error: Error): void => {
    failing.push(
      jest.spyOn(mongoose.mongo.Collection.prototype, 'find').mockImplementation(() => {
        throw error;
      }),
    );
  };
  const diskFull = new mongoose.mongo.MongoServerError({ message: 'no room', code: 14031 });
  const outOfReach = new mongoose.mongo.MongoNetworkError('connection closed');

  it('leads to 503 in both APIs while it is out of reach, and is logged', async () => {
    const words = /does not answer/;
    failWith(outOfReach);
    const rest = await service.api('GET', '/api/user/all');
    expect(rest.status).toBe(503);
    expect(rest.body).toMatchObject({
      message: 'SERVICE_UNAVAILABLE',
      error: expect.stringMatching(words),
      success: 'false',
    });
    expect(rest.headers.get('retry-after')).toBe('5');
    const graph = await service.gql('{ users(first: 1) { nodes { email } } }');
    expect(graph.status).toBe(503);
    expect(graph.errors?.[0]).toMatchObject({
      message: expect.stringMatching(words),
      extensions: { code: 'UNAVAILABLE' },
    });
    expect(
      service.logs.filter(({ msg }) => msg === 'the store failed').length,
    ).toBeGreaterThanOrEqual(2);
  });

  it('that is full leads to 507 in REST and UNAVAILABLE in GraphQL', async () => {
    failing.push(
      jest.spyOn(mongoose.mongo.Collection.prototype, 'insertMany').mockRejectedValue(diskFull),
      jest.spyOn(mongoose.mongo.Collection.prototype, 'insertOne').mockRejectedValue(diskFull),
    );
    const rest = await service.api('POST', '/api/category', { body: { name: 'More' } });
    expect(rest.status).toBe(507);
    expect(rest.body).toMatchObject({
      message: 'STORAGE_FULL',
      error: expect.stringMatching(/^The disk is full: only deletes/),
      success: 'false',
    });
    const graph = await service.gql(
      'mutation { categoryCreate(input: { name: "More" }) { category { id } } }',
    );
    expect(graph.errors?.[0]).toMatchObject({
      message: expect.stringMatching(/^The disk is full/),
      extensions: { code: 'UNAVAILABLE', reason: 'STORAGE_FULL' },
    });
  });

  it('is used again after it recovers', async () => {
    expect(await service.status('GET', '/api/user/all')).toBe(200);
  });
});
