import type { ClientSession, Collection, MongoServerError } from 'mongodb';
import { storeFixture } from './support/store-fixture';
import type { StoreFixture } from './support/store-fixture';

interface Counter {
  _id: string;
  n: number;
}

describe('transactions', () => {
  let fixture: StoreFixture;
  let counters: Collection<Counter>;
  beforeAll(async () => {
    fixture = await storeFixture();
  });
  beforeEach(async () => {
    counters = await fixture.collection<Counter>();
    await counters.insertOne({ _id: 'a', n: 0 });
  });
  afterAll(() => fixture.close());

  const inSession = <T>(run: (session: ClientSession) => Promise<T>): Promise<T> =>
    fixture.client.withSession(run);

  it('leave capacity for other clients when many are left open', async () => {
    const sessions: ClientSession[] = [];
    let refused: MongoServerError | undefined;
    while (refused === undefined && sessions.length < 2_000) {
      const session = fixture.client.startSession();
      sessions.push(session);
      session.startTransaction();
      refused = await counters.findOne({ _id: 'a' }, { session }).then(
        () => undefined,
        (error: unknown) => error as MongoServerError,
      );
      // Each of them reads a different snapshot.
      await counters.updateOne({ _id: 'a' }, { $inc: { n: 1 } });
    }
    expect(refused).toMatchObject({ code: 24 });
    expect(refused!.hasErrorLabel('TransientTransactionError')).toBe(true);
    expect(await counters.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: sessions.length });
    for (const session of sessions) await session.endSession();
    await inSession((session) =>
      session.withTransaction(() =>
        counters.updateOne({ _id: 'a' }, { $set: { n: 0 } }, { session }),
      ),
    );
    expect(await counters.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 0 });
  });

  it('lose to a plain writer that would wait forever, such as one in the same client with a leaked session', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await counters.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
      await counters.updateOne({ _id: 'a' }, { $set: { n: 10 } });
      await expect(session.commitTransaction()).rejects.toMatchObject({ code: 112 });
    });
    expect(await counters.findOne({ _id: 'a' })).toMatchObject({ n: 10 });
  });
});
