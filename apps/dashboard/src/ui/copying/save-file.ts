/** The file's URL stays valid for this time, because the browser reads the URL asynchronously. Milliseconds. */
const KEPT_MS = 60_000;

/** Saves content as a file with the browser. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
