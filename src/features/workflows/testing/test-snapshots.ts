import type { Actor } from '../../../platform/access/actor';
import type { Core } from '../../../platform/core';
import { Refused } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import type { Tx } from '../../../platform/store/store';
import { isJsonObject } from '../document/json';
import type { JsonObject } from '../document/json';
import { idOf } from '../document/record-id';
import { parseTitle, testTitle, titleKey } from '../document/title';
import type { WorkflowContent } from '../document/workflow-content';
import { documentMeant } from '../document/workflow-content';
import type { WorkflowDocument } from '../document/workflow-document';
import { readDocument } from '../document/workflow-document';
import { restoreDocument } from '../masking/restore-document';
import type { WorkflowWriter } from '../saving/workflow-writer';
import type { HeldSnapshot } from '../versions/workflow-snapshots';
import type { PackedVersion, WorkflowVersions } from '../versions/workflow-versions';
import type { WorkflowReader } from '../workflow-reader';
import { shownTo, workflowNotFound } from '../workflow-reader';
import { testKeyOf } from './test-key.service';

declare module '../../../platform/context' {
  interface Services {
    testSnapshots: TestSnapshots;
  }
}

/** A parsed and compressed document for a single test run. */
interface PreparedTest {
  readonly workflowId: number;
  /**
   * Identifies the tested workflow: the saved one that the document names, or else the title and
   * the user.
   */
  readonly testKey: string;
  readonly packed: PackedVersion;
  /** The document, masked as the actor may see it. */
  readonly shown: WorkflowDocument;
}

/** Temporary workflows for test runs of documents that are not saved. */
export class TestSnapshots {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly reading: WorkflowReader;
      readonly writing: WorkflowWriter;
      readonly versions: WorkflowVersions;
      /** Maximum size of a workflow, bytes. */
      readonly workflowBytes: number;
    },
  ) {}

  /**
   * Parses a document for a single run without saving it. Its title may be missing or in use.
   * @param draftOf the saved workflow of which this is a draft, if the document does not name it
   * @throws NotFound CONNECTION_NOT_FOUND `draftOf` does not exist
   * @throws Refused  the errors of `readDocument`
   * @throws TooLarge the workflow is larger than allowed
   */
  async prepare(actor: Actor, content: WorkflowContent, draftOf?: number): Promise<PreparedTest> {
    const { core, reading, versions, workflowBytes } = this.deps;
    if (draftOf !== undefined && (await reading.byId(draftOf)) === null)
      throw workflowNotFound(draftOf, ['draftOf']);
    const input = documentMeant(content, {}, workflowBytes);
    if (!isJsonObject(input)) throw new Refused('WORKFLOW_INVALID', 'A workflow is a JSON object.');
    const { title, document } = await this.parse(input);
    const packed = await versions.pack(document);
    const savedId = draftOf ?? (await this.savedIdOf(input));
    return {
      workflowId: await core.store.nextId('workflows'),
      testKey:
        savedId === null ? `title ${titleKey(title)} of user ${actor.userId}` : testKeyOf(savedId),
      packed,
      shown: shownTo(actor, document),
    };
  }

  /** Creates a temporary workflow for a test run; `WorkflowSnapshots.end` removes it. */
  async hold(actor: Actor, { workflowId, packed }: PreparedTest, tx: Tx): Promise<HeldSnapshot> {
    const { writing, versions } = this.deps;
    await writing.insert(actor, workflowId, packed, { comment: null, forOneRun: true }, tx);
    await versions.hold(packed.id, tx);
    return {
      workflowId,
      title: packed.document.title,
      test: true,
      temporary: true,
      snapshotId: packed.id,
      content: packed.content.ref,
      resume: false,
    };
  }

  private async parse(input: JsonObject): Promise<{ title: string; document: WorkflowDocument }> {
    const findings = new Findings();
    const hasTitle = typeof input.title === 'string' && titleKey(input.title) !== '';
    const title =
      (hasTitle ? findings.ofSync(() => parseTitle(input.title)) : undefined) ?? 'untitled';
    const named = { ...input, title: testTitle(title, this.deps.core.clock.now()) };
    const written = readDocument(named, findings);
    const restored = written && findings.ofSync(() => restoreDocument(written, null));
    return { title, document: findings.passed(restored).document };
  }

  /** The id of the saved workflow that a document names; null if there is none. */
  private async savedIdOf({ connectionId }: JsonObject): Promise<number | null> {
    const id = idOf(connectionId);
    return id !== null && (await this.deps.reading.byId(id)) !== null ? id : null;
  }
}
