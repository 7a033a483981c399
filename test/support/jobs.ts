import { storeConnection } from './stored';

let ids = 900_000;

/** A job that has ended, as it is stored: of the administrator, unless said otherwise. Answers its id. */
export async function storedJob(more: Record<string, unknown> = {}): Promise<number> {
  const [_id, at] = [++ids, new Date()];
  await storeConnection().collection<any>('jobs').insertOne({
    _id, kind: 'template-import', state: 'SUCCEEDED', percent: 100, message: 'Done.', result: '[]', error: null, owner: { userId: 1, email: 'admin@hypha.test' },
    createdAt: at, startedAt: at, finishedAt: at, cancelRequested: false, aliveUntil: at, expiresAt: new Date(at.getTime() + 60_000), ...more,
  });
  return _id;
}
