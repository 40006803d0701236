import {
  type ErrorGroup,
  formatAverage,
  formatCount,
  formatCounted,
  formatRate,
} from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import {
  formatCapturedInMail,
  formatNameInMail,
  formatTimeInMail,
  type Mail,
  type MailFact,
  type MailItem,
  type MailSection,
} from '../../platform/mail/index.ts';
import type { Figures, ProjectWeek } from './summarize-project.ts';
import { formatWeek, type Week } from './week.ts';

/** Maximum number of projects that a digest describes, the busiest first. Further projects are only counted. */
const MAX_PROJECTS = 20;
const MAX_ITEMS = 3;
/** Maximum number of characters of captured text in one line. */
const MAX_TEXT_LENGTH = 160;

export interface NamedProjectWeek extends ProjectWeek {
  readonly name: string;
}

/** Composes the digest of a user's projects, the busiest first. */
export function composeDigest(given: {
  readonly to: string;
  readonly name: string;
  readonly week: Week;
  readonly projects: readonly NamedProjectWeek[];
  readonly publicUrl: string;
  readonly unsubscribeUrl: string;
}): Mail {
  const { to, name, week, publicUrl, unsubscribeUrl } = given;
  const projects = given.projects.toSorted((a, b) => b.now.requests - a.now.requests);
  const others = projects.length - MAX_PROJECTS;
  const range = formatWeek(week);
  const paragraphs = [
    `This digest is about your projects from ${range}, from 08:00 UTC on Monday to 08:00 UTC on the next Monday.`,
  ];
  if (others > 0) {
    paragraphs.push(
      `Below are your ${MAX_PROJECTS} busiest projects. ${formatCounted(others, 'more project')} had requests: ${publicUrl}/projects`,
    );
  }
  return {
    to,
    name,
    subject: `Weekly digest: ${range}`,
    paragraphs,
    sections: projects.slice(0, MAX_PROJECTS).map((project) => composeSection(project, week, publicUrl)),
    note: `You get this email on Mondays, if your projects had requests. Turn the weekly digest off in your settings, ${publicUrl}/settings, or unsubscribe.`,
    unsubscribeUrl,
  };
}

/** Builds a link to a page that shows the project and the week of the digest, whenever the reader opens the link. */
type OpenPage = (page: 'analytics' | 'errors', more?: Readonly<Record<string, string>>) => string;

function composeSection(project: NamedProjectWeek, week: Week, publicUrl: string): MailSection {
  const { id, now, before, storedSince } = project;
  const shown = formatNameInMail(project.name);
  const name = shown === '' ? 'Unnamed project' : shown;
  const range = { from: week.from.toISOString(), to: week.until.toISOString() };
  const openPage: OpenPage = (page, more = {}) =>
    `${publicUrl}/${page}?${new URLSearchParams({ project: id, ...range, ...more })}`;
  const facts: MailFact[] = [
    buildFact('Requests', formatCount(now.requests), before && compareRequests(now, before)),
    buildFact('Error rate', formatRate(computeErrorRate(now)), before && compareErrorRate(now, before)),
    buildFact('P95', formatAverage(now.p95), before && compareP95(now, before)),
    composeErrors(project, openPage),
    composeInsights(project, openPage),
  ];
  if (project.incidents > 0) {
    const incidents = formatCounted(project.incidents, 'incident');
    facts.push(buildFact('Alerts', `${incidents}, ${formatCount(project.ongoingIncidents)} ongoing`));
  }
  const notes = [
    ...(storedSince === null
      ? []
      : [
          `Only requests since ${formatTimeInMail(storedSince.toISOString())} are counted: earlier requests are no longer stored.`,
        ]),
    ...(before === null ? ['Requests of the week before are no longer stored.'] : []),
  ];
  return {
    title: name,
    facts,
    ...(notes.length > 0 && { note: notes.join(' ') }),
    action: {
      label: `Open ${name}`,
      url: openPage('analytics'),
    },
  };
}

function buildFact(
  label: string,
  value: string,
  note?: string | null,
  items: readonly MailItem[] = [],
): MailFact {
  return { label, value, ...(typeof note === 'string' && { note }), ...(items.length > 0 && { items }) };
}

function composeErrors(project: NamedProjectWeek, openPage: OpenPage): MailFact {
  const { newErrors, reopenedErrors, hasAllErrors } = project;
  const counts = [
    ...(newErrors.length > 0 ? [`${formatCount(newErrors.length)} new`] : []),
    ...(reopenedErrors.length > 0 ? [`${formatCount(reopenedErrors.length)} reopened`] : []),
  ];
  const items = [
    ...reopenedErrors.map((error) => ({ error, word: 'reopened' })),
    ...newErrors.map((error) => ({ error, word: 'new' })),
  ]
    .toSorted((a, b) => b.error.count - a.error.count)
    .slice(0, MAX_ITEMS)
    .map(({ error, word }) => composeError(error, word, openPage));
  const value = counts.length === 0 ? 'No new errors' : counts.join(', ');
  const note = hasAllErrors ? null : 'only the most recently seen errors are counted';
  return buildFact('Errors', value, note, items);
}

function composeError(
  { id, message, service, count }: ErrorGroup,
  word: string,
  openPage: OpenPage,
): MailItem {
  const where = service === '' ? 'unnamed service' : formatLine(service);
  return {
    text: message === '' ? 'Error without a message' : formatLine(message),
    note: `${word}, ${where}, ${formatCounted(count, 'time')}`,
    url: openPage('errors', { error: id }),
  };
}

/**
 * Composes the line about open insights. On plans without insights, the line contains only the number of insights and a link to upgrade.
 */
function composeInsights({ insights }: NamedProjectWeek, openPage: OpenPage): MailFact {
  const { count, findings } = insights;
  const url = openPage('analytics', { tab: 'insights' });
  if (count === 0) return buildFact('Insights', 'None open');
  if (findings === null) {
    const text = 'To see these insights, upgrade to Enterprise Plus';
    return buildFact('Insights', `${formatCount(count)} open`, null, [{ text, url }]);
  }
  const items = findings
    .slice(0, MAX_ITEMS)
    .map(({ title, severity }) => ({ text: formatLine(title), note: `${severity} severity`, url }));
  return buildFact('Insights', `${formatCount(count)} open`, null, items);
}

/** Formats captured text as one line without links. */
function formatLine(text: string): string {
  const line = escapeControlCharacters(text.replace(/\s+/g, ' ').trim());
  const letters = [...line];
  const short =
    letters.length <= MAX_TEXT_LENGTH ? line : `${letters.slice(0, MAX_TEXT_LENGTH - 1).join('')}…`;
  return formatCapturedInMail(short.toWellFormed());
}

function compareRequests(now: Figures, before: Figures): string {
  if (before.requests === 0) return 'none the week before';
  return compareShare(now.requests, before.requests, 'more', 'fewer');
}

function compareP95(now: Figures, before: Figures): string | null {
  return before.requests === 0 ? null : compareShare(now.p95, before.p95, 'slower', 'faster');
}

/** Describes a change in percent of the earlier value. */
function compareShare(now: number, before: number, more: string, less: string): string {
  if (before === 0) return now === 0 ? 'same as the week before' : `${more} than the week before`;
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return 'same as the week before';
  return `${formatCount(Math.abs(percent))} % ${percent > 0 ? more : less} than the week before`;
}

function compareErrorRate(now: Figures, before: Figures): string | null {
  if (before.requests === 0) return null;
  const points = computeErrorRate(now) - computeErrorRate(before);
  if (Math.abs(points) < 0.05) return 'same as the week before';
  return `${Math.abs(points).toFixed(1)} points ${points > 0 ? 'higher' : 'lower'} than the week before`;
}

function computeErrorRate({ requests, errors }: Figures): number {
  return requests === 0 ? 0 : (errors / requests) * 100;
}
