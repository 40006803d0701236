import type { Step } from '@throughline/contract';

/**
 * Limits of a key: number of values, and characters per string. Thousands of calls can have received the same large object, so reading all
 * of it for each call would take too long.
 */
const MAX_PARTS = 60;
const MAX_TEXT = 200;

/** Writes a text that is equal for calls with equal inputs. Inputs that differ only beyond the limits have the same text, too. */
export function writeInputsKey({ inputs }: Pick<Step, 'inputs'>): string {
  const texts: string[] = [];
  const pending: unknown[] = [inputs];
  while (pending.length > 0 && texts.length < MAX_PARTS) {
    const value = pending.pop();
    if (Array.isArray(value)) {
      texts.push(`[${value.length}`);
      for (let at = Math.min(value.length, MAX_PARTS) - 1; at >= 0; at -= 1) pending.push(value[at]);
    } else if (typeof value === 'object' && value !== null) {
      texts.push('{');
      for (const [name, member] of Object.entries(value).slice(0, MAX_PARTS)) pending.push(member, name);
    } else {
      texts.push(typeof value === 'string' ? value.slice(0, MAX_TEXT) : String(value));
    }
  }
  return JSON.stringify(texts);
}
