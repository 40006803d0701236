import { escapeHtml } from './escape-html.ts';

/** A fact of a section, such as `Requests: 1,204`. */
export interface MailFact {
  readonly label: string;
  readonly value: string;
  /** Explains the value, such as how it differs from the previous period. Written after the value. */
  readonly note?: string;
  readonly items?: readonly MailItem[];
}

/** An item in the list of a fact. Captured text must pass through `formatCapturedInMail`. */
export interface MailItem {
  readonly text: string;
  readonly note?: string;
  readonly url?: string;
}

/** A part of a mail with a title, facts and a link. All strings are plain text. */
export interface MailSection {
  readonly title: string;
  readonly facts: readonly MailFact[];
  readonly note?: string;
  readonly action: { readonly label: string; readonly url: string };
}

/** Builds a section as text, with two spaces before each line below the title. */
export function composeSectionText({ title, facts, note, action }: MailSection): string {
  const lines = facts.flatMap((fact) => [
    `  ${fact.label}: ${joinNote(fact.value, fact.note)}`,
    ...(fact.items ?? []).flatMap((item) => [
      `    - ${joinNote(item.text, item.note)}`,
      ...(item.url === undefined ? [] : [`      ${item.url}`]),
    ]),
  ]);
  if (note !== undefined) lines.push(`  ${note}`);
  return [title, ...lines, `  ${action.label}: ${action.url}`].join('\n');
}

function joinNote(text: string, note: string | undefined): string {
  return note === undefined ? text : `${text} (${note})`;
}

const CELL = 'padding:4px 0;vertical-align:top';

/** Builds a section as HTML: one table row for each fact. */
export function composeSectionHtml({ title, facts, note, action }: MailSection): string {
  const small =
    note === undefined
      ? ''
      : `<p class="small" style="margin:8px 0 0;font-size:13px;color:#5c5f66">${escapeHtml(note)}</p>`;
  return `<div class="section" style="margin:24px 0 0;padding:16px 0 0;border-top:1px solid #dee2e6">
<h2 style="margin:0 0 8px;font-size:18px;line-height:1.4;overflow-wrap:anywhere">${escapeHtml(title)}</h2>
<table width="100%" cellpadding="0" cellspacing="0" style="font-size:14px">${facts.map(composeFact).join('')}</table>
${small}<p style="margin:12px 0 0;font-size:14px"><a class="link" href="${escapeHtml(action.url)}" style="color:#3b5bdb;font-weight:600;overflow-wrap:anywhere">${escapeHtml(action.label)}</a></p>
</div>`;
}

function composeFact({ label, value, note, items = [] }: MailFact): string {
  const list =
    items.length === 0
      ? ''
      : `<ul style="margin:4px 0 0;padding:0 0 0 16px">${items.map(composeItem).join('')}</ul>`;
  const beside = note === undefined ? '' : ` ${composeNote(note)}`;
  return `<tr><th class="small" scope="row" align="left" style="${CELL};width:104px;padding-right:12px;font-weight:400;color:#5c5f66">${escapeHtml(label)}</th><td style="${CELL}"><strong>${escapeHtml(value)}</strong>${beside}${list}</td></tr>`;
}

function composeItem({ text, note, url }: MailItem): string {
  const shown = escapeHtml(text);
  const linked =
    url === undefined
      ? shown
      : `<a class="link" href="${escapeHtml(url)}" style="color:#3b5bdb">${shown}</a>`;
  const below = note === undefined ? '' : `<br>${composeNote(note)}`;
  return `<li style="margin:0 0 4px;overflow-wrap:anywhere">${linked}${below}</li>`;
}

function composeNote(note: string): string {
  return `<span class="small" style="color:#5c5f66">${escapeHtml(note)}</span>`;
}
