import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { Schema } from 'mongoose';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import type { EmbeddedStore } from '@hypha/embedded-mongo';

describe('mongoose with the embedded store', () => {
  const dir = mkdtempSync(join(tmpdir(), 'store-test-'));
  let store: EmbeddedStore;
  let connection: mongoose.Connection;

  beforeAll(async () => {
    store = await openEmbeddedStore({
      dir,
      placement: 'inline',
      durability: 'test',
      log: (level, message, detail) => console.log(level, message, detail),
    });
    connection = await mongoose.createConnection(store.uri).asPromise();
  });

  afterAll(async () => {
    await connection.close();
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const userSchema = new Schema({
    email: { type: String, unique: true },
    age: Number,
    tags: [String],
    group: { type: Schema.Types.ObjectId, ref: 'Group' },
  });
  const groupSchema = new Schema({ name: String });

  it('creates, finds, updates, counts and deletes documents', async () => {
    const User = connection.model('User', userSchema);
    await User.init();
    await User.create({ email: 'a@x', age: 1 }, { email: 'b@x', age: 2, tags: ['t'] });
    await User.insertMany(Array.from({ length: 300 }, (_, age) => ({ email: `m${age}`, age })));
    expect(await User.findOne({ email: 'b@x' }).lean()).toMatchObject({
      email: 'b@x',
      age: 2,
      tags: ['t'],
    });
    expect(await User.countDocuments({ age: { $gte: 2 } })).toBe(299);
    expect(await User.estimatedDocumentCount()).toBe(302);
    expect(
      await User.find({ age: { $lt: 5 } }, { age: 1, _id: 0 })
        .sort({ age: -1 })
        .limit(3)
        .lean(),
    ).toEqual([{ age: 4 }, { age: 3 }, { age: 2 }]);
    expect(await User.find().lean()).toHaveLength(302);
    const changed = await User.findOneAndUpdate(
      { email: 'a@x' },
      { $inc: { age: 10 }, $set: { 'tags.0': 'n' } },
      { returnDocument: 'after' },
    );
    expect(changed).toMatchObject({ age: 11 });
    changed!.set('age', 12);
    await changed!.save();
    expect(await User.updateMany({ age: { $gte: 290 } }, { $set: { age: 0 } })).toMatchObject({
      matchedCount: 10,
      modifiedCount: 10,
    });
    expect(await User.deleteMany({ age: { $gt: 100 } })).toMatchObject({ deletedCount: 189 });
    await expect(User.create({ email: 'b@x' })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { email: 1 },
      keyValue: { email: 'b@x' },
    });
  });

  it('upserts, writes in bulk, detects stale versions and synchronises indexes', async () => {
    const schema = new Schema(
      { _id: Number, name: String, list: [Number] },
      { optimisticConcurrency: true, timestamps: true },
    );
    const Row = connection.model('Row', schema);
    await Row.init();
    await Row.bulkWrite([
      { insertOne: { document: { _id: 1, name: 'a' } } },
      { updateOne: { filter: { _id: 2 }, update: { $set: { name: 'b' } }, upsert: true } },
      { updateMany: { filter: {}, update: { $set: { list: [1] } } } },
      { replaceOne: { filter: { _id: 1 }, replacement: { name: 'c', list: [1, 2] } as never } },
      { deleteOne: { filter: { _id: 2 } } },
    ]);
    expect(await Row.find().lean()).toMatchObject([{ _id: 1, name: 'c', list: [1, 2] }]);
    const [first, second] = await Promise.all([Row.findById(1).orFail(), Row.findById(1).orFail()]);
    await first.set('name', 'd').save();
    await expect(second.set('name', 'e').save()).rejects.toMatchObject({ name: 'VersionError' });
    schema.index({ name: 1 });
    schema.index({ list: 1, name: -1 }, { sparse: true });
    expect(await Row.syncIndexes()).toEqual([]);
    expect(Object.keys(await Row.collection.indexInformation())).toEqual([
      '_id_',
      'name_1',
      'list_1_name_-1',
    ]);
    expect(await Row.diffIndexes()).toEqual({ toDrop: [], toCreate: [] });
    expect(await Row.exists({ name: 'd' })).toMatchObject({ _id: 1 });
    for await (const row of Row.find().cursor()) expect(row.name).toBe('d');
    expect(
      await Row.findOneAndReplace({ _id: 1 }, { name: 'f' }, { returnDocument: 'after' }).lean(),
    ).toMatchObject({ name: 'f' });
    expect(await Row.findOneAndDelete({ _id: 1 }).lean()).toMatchObject({ name: 'f' });
  });

  it('commits and aborts transactions and populates references', async () => {
    const User = connection.model('User', userSchema);
    const Group = connection.model('Group', groupSchema);
    await Promise.all([User.init(), Group.init()]);
    await connection.transaction(async (session) => {
      const [group] = await Group.create([{ name: 'G' }], { session });
      await User.create([{ email: 'g@x', group: group._id }], { session });
      expect(await Group.countDocuments({}).session(session)).toBe(1);
      expect(await Group.countDocuments({})).toBe(0);
    });
    expect(await User.findOne({ email: 'g@x' }).populate('group').lean()).toMatchObject({
      group: { name: 'G' },
    });
    await expect(
      connection.transaction(async (session) => {
        await Group.create([{ name: 'H' }], { session });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await Group.countDocuments({})).toBe(1);
  });
});
