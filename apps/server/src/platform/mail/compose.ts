import type { MailKind } from '@throughline/contract';
import { escapeHtml } from './escape-html.ts';
import type { MailParties } from './limits.ts';
import { formatNameInMail } from './names.ts';
import { composeSectionHtml, composeSectionText, type MailSection } from './sections.ts';

/** The content of a mail as plain text, without markup. Names in it must pass through `formatNameInMail`. */
export interface Mail {
  /** The recipient's address. */
  readonly to: string;
  /**
   * True if the mail is queued and counted but not sent. The queue's timing then does not reveal that there
   * is no recipient.
   */
  readonly isDecoy?: boolean;
  /** The recipient's name for the greeting, as typed. */
  readonly name?: string;
  /** The subject. It must not contain a user-supplied name, because the recipient may not know the user who chose the name. */
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly sections?: readonly MailSection[];
  readonly action?: { readonly label: string; readonly url: string };
  /** Closing note in small print. It explains why the recipient gets the mail, and what to do if the mail was sent by mistake. */
  readonly note?: string;
  /**
   * The URL at which the recipient unsubscribes from this kind of mail without a login: GET shows a page, and a POST from the mail program
   * unsubscribes immediately (RFC 8058).
   */
  readonly unsubscribeUrl?: string;
  /**
   * Present if users can cause the mail to be sent to other people: the kind of mail, which determines the limits, and the ids of the
   * sender and the organization if these have limits.
   */
  readonly limit?: { readonly kind: MailKind } & Omit<MailParties, 'recipient'>;
}

export interface ComposedMail {
  /** The recipient's address; empty for a decoy. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly unsubscribeUrl?: string | undefined;
}

const PRODUCT = 'Throughline';

/**
 * Builds the text and HTML versions of a mail. User input appears as text, never as markup, and the subject
 * is a single line.
 */
export function composeMail(mail: Mail): ComposedMail {
  const subject = mail.subject.replace(/\p{Cc}+/gu, ' ').trim();
  const greeted = { ...mail, paragraphs: [...composeGreeting(mail), ...mail.paragraphs] };
  return {
    to: mail.isDecoy === true ? '' : mail.to,
    subject,
    text: composeText(greeted),
    html: composeHtml(greeted, subject),
    ...(mail.unsubscribeUrl !== undefined && { unsubscribeUrl: mail.unsubscribeUrl }),
  };
}

function composeGreeting({ name }: Mail): string[] {
  if (name === undefined) return [];
  const shown = formatNameInMail(name);
  return [shown === '' ? 'Hello,' : `Hello ${shown},`];
}

function composeText({ paragraphs, sections = [], action, note, unsubscribeUrl }: Mail): string {
  const parts = [...paragraphs, ...sections.map(composeSectionText)];
  if (action !== undefined) parts.push(`${action.label}:\n${action.url}`);
  if (note !== undefined) parts.push(note);
  if (unsubscribeUrl !== undefined) parts.push(`Unsubscribe:\n${unsubscribeUrl}`);
  return `${parts.join('\n\n')}\n\n-- \n${PRODUCT}\n`;
}

/**
 * Builds the HTML for mail programs, with tables and inline styles. Declares both colour schemes, so that mail programs do not invert
 * colours in dark mode.
 */
function composeHtml(
  { paragraphs, sections = [], action, note, unsubscribeUrl }: Mail,
  subject: string,
): string {
  const body = paragraphs
    .map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`)
    .join('');
  const button =
    action === undefined
      ? ''
      : `<p style="margin:24px 0"><a class="button" href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#3b5bdb;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(action.label)}</a></p>` +
        `<p class="small" style="margin:0 0 16px;font-size:13px;color:#5c5f66;word-break:break-all">${escapeHtml(action.url)}</p>`;
  const last =
    note === undefined
      ? ''
      : `<p class="small" style="margin:24px 0 0;font-size:13px;color:#5c5f66">${escapeHtml(note)}</p>`;
  const unsubscribe =
    unsubscribeUrl === undefined
      ? ''
      : `<p class="small" style="margin:8px 0 0;font-size:13px;color:#5c5f66"><a class="small" href="${escapeHtml(unsubscribeUrl)}" style="color:#5c5f66">Unsubscribe</a></p>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){.page{background:#141517!important}.card{background:#1f2023!important;color:#e9ecef!important}.small{color:#a6a7ab!important}.link{color:#91a7ff!important}.section{border-color:#3a3b40!important}}</style></head>
<body class="page" style="margin:0;background:#f1f3f5"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;color:#212529;border-radius:8px;font:16px/1.5 system-ui,sans-serif"><tr><td style="padding:32px">
<p style="margin:0 0 24px;font-weight:700">${PRODUCT}</p>
${body}${sections.map(composeSectionHtml).join('')}${button}${last}${unsubscribe}
</td></tr></table></td></tr></table></body></html>
`;
}
