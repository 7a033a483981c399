/** Binary data of a record: the driver returns it as `Binary`. */
export type StoredBytes = Buffer | { readonly buffer: Uint8Array };

export const bytesOf = (stored: StoredBytes): Buffer =>
  Buffer.isBuffer(stored) ? stored : Buffer.from(stored.buffer);
