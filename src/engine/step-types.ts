interface StepTypeFacts {
  /** Meaning, for the GraphQL schema. */
  readonly description: string;
  /** It calls a connector; other types ignore the connector of their container. */
  readonly callsConnector: boolean;
  /** Its request must have a URL of its own. */
  readonly needsUrl: boolean;
  /** Its request may contain named secrets. */
  readonly maySendSecrets: boolean;
  /** Repeating it does no harm if its HTTP method may be repeated. */
  readonly isRepeatable: boolean;
}

/**
 * The types of methods. Stored in documents and hardcoded in clients: do not rename. Each has an
 * executor in `run/run-step.ts`.
 */
export const STEP_TYPES = {
  CONNECTOR: {
    description: 'An operation defined in the invoker of a connector.',
    callsConnector: true,
    needsUrl: false,
    maySendSecrets: true,
    isRepeatable: true,
  },
  HTTP_REQUEST: {
    description: 'A free-form request with its own URL, headers and body.',
    callsConnector: false,
    needsUrl: true,
    maySendSecrets: true,
    isRepeatable: true,
  },
  WEBHOOK: {
    description: 'Triggers the schedule of another workflow, without waiting.',
    callsConnector: false,
    needsUrl: true,
    maySendSecrets: false,
    isRepeatable: false,
  },
} as const satisfies Record<string, StepTypeFacts>;

export type StepType = keyof typeof STEP_TYPES;
export const STEP_TYPE_NAMES = Object.keys(STEP_TYPES) as readonly StepType[];

/** Returns what is known of a type; null if it is unknown. */
export const stepTypeOf = (type: unknown): StepTypeFacts | null =>
  typeof type === 'string' && Object.hasOwn(STEP_TYPES, type) ? STEP_TYPES[type as StepType] : null;
