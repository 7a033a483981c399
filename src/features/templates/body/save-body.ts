import type { Actor } from '../../../platform/access/actor';
import { Conflict, isCurable, reasonsOf, Refused } from '../../../platform/errors/errors';
import type { Findings } from '../../../platform/errors/findings';
import { characters, hasMoreCharacters } from '../../../platform/text/characters';
import { parseTitle, TITLE_LENGTH } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import type { WorkflowWithDocument } from '../../workflows/workflow-reading';
import type { WorkflowService } from '../../workflows/workflow.service';

export interface BodyToSave {
  readonly workflows: WorkflowService;
  readonly actor: Actor;
  readonly document: JsonObject;
  /** Null: the first free title derived from `fallbackTitle`. */
  readonly title: string | null;
  readonly fallbackTitle: string;
  /** Errors found before. */
  readonly found: Findings;
}

/** Maximum attempts: concurrent requests may take a title that was free. */
const ATTEMPTS = 20;

/** `Tickets`, `Tickets (2)`; a long title is cut so that the number fits. */
function titleAt(title: string, number: number): string {
  const mark = number === 1 ? '' : ` (${number})`;
  const room = TITLE_LENGTH - characters(mark);
  return `${hasMoreCharacters(title, room) ? [...title].slice(0, room).join('').trimEnd() : title}${mark}`;
}

/**
 * Saves a body with its connectors as a new workflow. Errors of the save have an empty path and the
 * document path in their message, because the client did not send the document.
 * @throws Refused, Conflict with all errors
 */
export async function saveBody({
  workflows,
  actor,
  document,
  title,
  fallbackTitle,
  found,
}: BodyToSave): Promise<WorkflowWithDocument> {
  if (title !== null) {
    const parsed = found.ofSync(() => parseTitle(title));
    if (parsed !== undefined && (await workflows.titleTaken(parsed))) {
      found.add(
        new Conflict(
          'TITLE_HAS_ALREADY_TAKEN',
          `There is already a workflow with the title ${JSON.stringify(parsed)}.`,
          { path: ['title'] },
        ),
      );
    }
    found.refuse();
    return save(workflows, actor, { ...document, title: parsed });
  }
  found.refuse();
  for (let number = 1, attempts = 1; ; number += 1) {
    const candidate = titleAt(fallbackTitle, number);
    if (await workflows.titleTaken(candidate)) continue;
    try {
      return await save(workflows, actor, { ...document, title: candidate });
    } catch (error) {
      if (
        !(error instanceof Conflict) ||
        error.code !== 'TITLE_HAS_ALREADY_TAKEN' ||
        (attempts += 1) > ATTEMPTS
      )
        throw error;
    }
  }
}

async function save(
  workflows: WorkflowService,
  actor: Actor,
  document: JsonObject,
): Promise<WorkflowWithDocument> {
  try {
    return await workflows.save(actor, null, { document });
  } catch (error) {
    if (!isCurable(error) || error.code === 'TITLE_HAS_ALREADY_TAKEN') throw error;
    const problems = reasonsOf(error).map(({ code, path, message }) =>
      path[0] === 'title'
        ? { code, path, message }
        : { code, path: [], message: `${path.join('.')}: ${message}` },
    );
    throw new Refused(error.code, error.message, { reason: error.reason, problems });
  }
}
