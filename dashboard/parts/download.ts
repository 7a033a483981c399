/** Saves a text as a file of the browser. */
export function downloadText(fileName: string, text: string, type = 'text/plain'): void {
  saveBlob(fileName, new Blob([text], { type }));
}

/** Saves bytes as a file of the browser. */
export function saveBlob(fileName: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Saves a value as a JSON file on the user's device. */
export const downloadJson = (fileName: string, value: unknown): void =>
  downloadText(fileName, JSON.stringify(value, null, 2), 'application/json');
