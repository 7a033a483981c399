import type { ReleasedClient } from '../../../platform/http/dialects/released-client';
import type { JsonObject } from './json';

/**
 * How the document of a workflow or a template is converted for one line of released clients. The
 * service itself reads both shapes of a document that is saved.
 */
interface DocumentView {
  /** Returns a stored document as the client reads it. */
  readonly shown: (document: JsonObject) => JsonObject;
}

/** The 5.x client reads the stored shape. */
const AS_STORED: DocumentView = { shown: (document) => document };

/** The only place that knows which line reads which shape. */
const VIEWS: Readonly<Record<ReleasedClient, DocumentView>> = {
  '4.x': AS_STORED,
  '5.x': AS_STORED,
};

export const documentFor = (client: ReleasedClient, document: JsonObject): JsonObject =>
  VIEWS[client].shown(document);
