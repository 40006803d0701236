/** The browser reads the file's address when it likes; after so long it has. Milliseconds. */
const KEPT_MS = 60_000;

/** Has the browser save something as a file. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
