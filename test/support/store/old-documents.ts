import { ObjectId } from 'bson';
import { packJson, unpackJson } from '../../../src/features/workflows/document/packed-json';
import { readStored } from '../../../src/features/workflows/document/stored-document';
import type { WorkflowDocument } from '../../../src/features/workflows/document/workflow-document';
import { storeConnection } from './stored';

/** Replaces the newest document of a workflow by one of an older version, as after importing an old database. Returns its content id. */
export async function storeAsWritten(workflowId: number, document: object): Promise<string> {
  const connection = storeConnection();
  const { ref, parts } = await packJson(new ObjectId().toHexString(), document);
  await connection.collection<any>('workflow_contents').insertMany([...parts] as any[]);
  const { snapshotId } = await connection
    .collection<any>('workflows')
    .findOneAndUpdate({ _id: workflowId }, { $set: { content: ref } });
  await connection
    .collection<any>('workflow_versions')
    .updateOne({ _id: snapshotId }, { $set: { content: ref } });
  return ref.id;
}

/** All stored data of a workflow, for comparison. */
export async function everythingStoredOf(workflowId: number): Promise<string> {
  const connection = storeConnection();
  const [row, versions, contents] = await Promise.all([
    connection.collection<any>('workflows').findOne({ _id: workflowId }),
    connection.collection<any>('workflow_versions').find({ workflowId }).sort({ _id: 1 }).toArray(),
    connection.collection<any>('workflow_contents').find().sort({ _id: 1 }).toArray(),
  ]);
  return JSON.stringify([row, versions, contents]);
}

/** The current document of a workflow with everything that no API shows. */
export async function documentStoredOf(workflowId: number): Promise<WorkflowDocument> {
  const connection = storeConnection();
  const { content } = await connection.collection<any>('workflows').findOne({ _id: workflowId });
  const parts = await connection
    .collection<any>('workflow_contents')
    .find({ _id: { $regex: `^${content.id}/` } })
    .sort({ _id: 1 })
    .toArray();
  const { value } = await unpackJson(parts as never);
  return readStored(value as never);
}
