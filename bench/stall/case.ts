type Work = () => Promise<unknown>;

/** Work that is sent to the service, whose longest stall is measured. */
export interface Case {
  readonly area: string;
  readonly detail: string;
  readonly large?: true;
  /** Prepares what is not measured, and returns what is. */
  readonly prepare: () => Promise<Work>;
}

/** A case that needs no preparation. */
export const sent = (area: string, detail: string, send: Work): Case => ({
  area,
  detail,
  prepare: async () => send,
});

/** A case that is measured after a preparation of its own. */
export const prepared = <T>(
  area: string,
  detail: string,
  prepare: () => Promise<T>,
  send: (from: T) => Promise<unknown>,
): Case => ({
  area,
  detail,
  prepare: async () => {
    const from = await prepare();
    return () => send(from);
  },
});
