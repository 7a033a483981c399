type Work = () => Promise<unknown>;

/** Work that is sent to the service, whose longest stall is measured. */
export interface Case {
  readonly door: string;
  readonly what: string;
  readonly large?: true;
  /** Prepares what is not measured, and returns what is. */
  readonly prepare: () => Promise<Work>;
}

/** A case that needs no preparation. */
export const sent = (door: string, what: string, send: Work): Case => ({
  door,
  what,
  prepare: async () => send,
});

/** A case that is measured after a preparation of its own. */
export const prepared = <T>(
  door: string,
  what: string,
  prepare: () => Promise<T>,
  send: (from: T) => Promise<unknown>,
): Case => ({
  door,
  what,
  prepare: async () => {
    const from = await prepare();
    return () => send(from);
  },
});
