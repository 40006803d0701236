import type { Tried } from './try-form.ts';
import { brokenBounds } from './verdict.ts';

const NAME = 58;

export const HEADING = [
  'form'.padEnd(NAME + 16),
  'senders',
  '    MB',
  'silent',
  ' (CPU)',
  '(idle)',
  ' other',
  'refused',
  ' CPU s',
  ' answers',
].join(' ');

/** Formats the results of one hostile input as one line of text. */
export function formatLine(tried: Tried): string {
  const { form, senders, answers, died } = tried;
  const said = Object.entries(answers).map(([answer, count]) =>
    count === 1 ? answer : `${count} × ${answer}`,
  );
  const broken = brokenBounds(tried);
  return [
    `${form.way}, ${form.name}`.slice(0, NAME + 15).padEnd(NAME + 16),
    String(senders).padStart(7),
    String(Math.round(tried.peakBytes / 1e6)).padStart(6),
    String(Math.round(tried.silenceMs)).padStart(6),
    String(Math.round(tried.silenceCpuMs)).padStart(6),
    String(Math.round(tried.machineSilenceMs)).padStart(6),
    tried.otherRatio.toFixed(1).padStart(6),
    String(tried.otherRefused).padStart(7),
    tried.cpuSeconds.toFixed(1).padStart(6),
    ` ${said.join(', ')}${died === undefined ? '' : `; the server ended: ${died}`}${tried.stillBusy && died === undefined ? '; still at work' : ''}`,
    broken.length === 0 ? '' : ` MISSED: ${broken.join('; ')}`,
  ].join(' ');
}
