import { nextSlice } from '../../../platform/event-loop';
import type { Findings } from '../../../platform/errors/findings';
import { restoreDocument } from '../masking/restore-document';
import type { Restored } from '../masking/restore-document';
import type { ReferenceChecker } from '../references/reference-checker';
import type { WorkflowContent, WorkflowEdit } from '../document/workflow-content';
import { documentMeant, requireSize } from '../document/workflow-content';
import { keepUnknownFields } from '../document/unsent-fields';
import type { WorkflowDocument } from '../document/workflow-document';
import { readDocument } from '../document/workflow-document';
import { requireSavableBy4x } from '../released-documents.service';
import type { WorkflowWithDocument } from '../workflow-reader';

/** Parses and checks what is to be saved, and collects the errors. Nothing is written. */
export class WorkflowParser {
  constructor(
    private readonly references: ReferenceChecker,
    private readonly maxBytes: number,
  ) {}

  /**
   * Parses the content, checks its references and restores masked values.
   * @param stored the workflow to change; null for a new one
   */
  async parse(
    content: WorkflowContent,
    stored: WorkflowWithDocument | null,
    findings: Findings,
  ): Promise<Restored | undefined> {
    const sent = documentMeant(content, stored?.document ?? {}, this.maxBytes);
    if ('document' in content && content.isTwoContainers)
      findings.ofSync(() => requireSavableBy4x(sent, stored?.document ?? null));
    return this.parseDocument(sent, stored, findings, 'document' in content && content.isReleased);
  }

  /** Collects the errors of a change of a missing workflow. A title avoids a false error. */
  checkAlone(content: WorkflowContent, findings: Findings): undefined {
    const sent = documentMeant(content, { title: 'missing' }, this.maxBytes);
    readDocument(sent, findings);
  }

  /** Returns the document that an edit makes of the stored one. */
  async applyEdit(
    edit: WorkflowEdit,
    stored: WorkflowWithDocument,
    findings: Findings,
  ): Promise<WorkflowDocument | undefined> {
    const made = await findings.of(() => edit.make(stored));
    if (made === undefined) return undefined;
    if (edit.origin === 'written') {
      requireSize(made, this.maxBytes, stored.document);
      return (await this.parseDocument(made, stored, findings))?.document;
    }
    // A stored document is saved byte for byte. References in it are not checked again:
    // `validation` reports those that are missing now.
    const read = readDocument(made, findings, stored.document);
    return read ? (made as WorkflowDocument) : undefined;
  }

  private async parseDocument(
    sent: unknown,
    stored: WorkflowWithDocument | null,
    findings: Findings,
    isReleased = false,
  ): Promise<Restored | undefined> {
    const before = stored?.document ?? null;
    const read = readDocument(sent, findings, before);
    if (!read) return undefined;
    await nextSlice();
    const written = isReleased && before ? keepUnknownFields(read, before) : read;
    this.references.checkIds(written, before, findings);
    await this.references.check(written, stored?.record ?? null, findings);
    return findings.ofSync(() => restoreDocument(written, before));
  }
}
