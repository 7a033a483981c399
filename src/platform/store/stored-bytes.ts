/** Bytes of a record: binary comes from the driver as its own class. */
export type StoredBytes = Buffer | { readonly buffer: Uint8Array };

/** The bytes themselves. */
export const bytesOf = (stored: StoredBytes): Buffer =>
  Buffer.isBuffer(stored) ? stored : Buffer.from(stored.buffer);
