/**
 * Copies a string to the clipboard. Browsers offer the clipboard API only to pages on https and localhost. Pages served over plain
 * http in a company network need the older method: select the string in a field and run the copy command.
 * Rejects if the browser refuses.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Adds the field inside an open dialog, which would otherwise take the focus back.
  const place = before?.closest('[role="dialog"]') ?? document.body;
  place.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!copied) throw new Error('the browser refused the clipboard');
}
