/** Saves a value as a JSON file of the user. */
export function saveJsonFile(fileName: string, value: unknown): void {
  const content = new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
