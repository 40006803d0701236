/** The browser reads the file's address when it likes; after so long it has. Milliseconds. */
const KEPT_MS = 60_000;

/** Has the browser save a JSON text (UTF-8) as a file. */
export function saveFile(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
