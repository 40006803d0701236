/**
 * Puts a text on the clipboard. Browsers give the clipboard to pages on https and localhost alone, so that a product
 * served by plain http in a company's network needs the older way: select it in a field and copy.
 * Rejects where both are refused.
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
  // Added inside an open dialog, which would otherwise take the focus back.
  const place = before?.closest('[role="dialog"]') ?? document.body;
  place.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!copied) throw new Error('the browser refused the clipboard');
}
