import { formatCounted, formatDuration, type Trace } from '@throughline/contract';
import { escapeControlCharacters, escapeControlCharactersInLines } from '@throughline/contract/captured';
import {
  findFailingStep,
  type StepForest,
  type StepNode,
} from '../../../visuals/steps/analysis/step-forest.ts';
import { findLine } from '../../../visuals/steps/thrown-line.ts';

/** A summary lists at most this many steps of the path to a failure, and of the slowest steps. */
const WAY_STEPS = 12;
const SLOWEST = 5;
/** Longer names and messages are cut. UTF-16 units. */
const NAME_CHARACTERS = 120;
const MESSAGE_CHARACTERS = 2000;

/**
 * Returns a trace as Markdown for an issue: the request, its outcome, the failure with its message, the slowest steps, and a link to the
 * trace. Contains no inputs, variables or outputs of steps.
 */
export function writeMarkdownSummary(trace: Trace, forest: StepForest, link: string): string {
  const { request, response, timing } = trace;
  const service = `${trace.service} ${trace.serviceVersion}`.trim();
  const facts = [
    ['When', trace.timing.startTime],
    ['Service', [service, trace.environment, trace.release].filter((part) => part !== '').join(' · ')],
    ['Trace ID', trace.traceId],
  ] as const;
  const parts = [
    `### ${formatCode(`${request.method} ${request.path}`)}: ${response.statusCode ?? 'no response'} in ${formatDuration(timing.duration)}`,
    facts
      .filter(([, fact]) => fact !== '')
      .map(([name, fact]) => `- ${name}: ${formatCode(fact)}`)
      .join('\n'),
    ...writeFailure(trace, forest),
    writeSlowest(forest),
    `[Open trace](${link.replaceAll(')', '%29')})`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function writeFailure(trace: Trace, forest: StepForest): string[] {
  const failing = findFailingStep(forest, trace.error.errorMessage);
  const error = failing?.step.error;
  if (error == null && !trace.error.hasError) return [];
  const message = error?.message ?? trace.error.errorMessage ?? 'The request failed.';
  const name = error?.name === undefined || message.startsWith(error.name) ? '' : `${error.name}: `;
  const what = forest.thrownAs === 'failed' ? 'Failed' : 'Handled error';
  return [
    `**${what}${failing === undefined ? '' : ` in ${writePlace(failing)}`}**`,
    fenceText(cut(`${name}${message}`, MESSAGE_CHARACTERS)),
    failing === undefined ? '' : writeWayTo(failing),
  ];
}

function writeWayTo(failing: StepNode): string {
  const way: StepNode[] = [];
  for (let at: StepNode | undefined = failing; at !== undefined; at = at.parent) way.unshift(at);
  if (way.length < 2) return '';
  const shown = way.slice(-WAY_STEPS).map((node, index) => `${index + 1}. ${writePlace(node)}`);
  const left = way.length - shown.length;
  return [
    'Call path:',
    '',
    ...(left > 0 ? [`(${formatCounted(left, 'step')} above)`, ''] : []),
    ...shown,
  ].join('\n');
}

function writeSlowest(forest: StepForest): string {
  const slowest = forest.all
    .filter((node) => node.selfMs > 0)
    .toSorted((a, b) => b.selfMs - a.selfMs)
    .slice(0, SLOWEST);
  if (slowest.length === 0) return '';
  return [
    'Slowest by self time:',
    '',
    ...slowest.map((node) => `- ${formatDuration(node.selfMs)} ${writePlace(node)}`),
  ].join('\n');
}

function writePlace({ step }: StepNode): string {
  const name = formatCode(step.functionName ?? step.stepName);
  if (step.filePath === null) return name;
  const line = findLine(step);
  return `${name} (${formatCode(line === null ? step.filePath : `${step.filePath}:${line}`)})`;
}

/**
 * Formats a string as inline code of Markdown. The string cannot end the code: the fence is longer than any run of backticks in the string.
 */
function formatCode(text: string): string {
  const line = escapeControlCharacters(cut(text.replace(/\s+/g, ' '), NAME_CHARACTERS));
  const fence = '`'.repeat(findLongestRun(line) + 1);
  const padding = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

function fenceText(text: string): string {
  const fence = '`'.repeat(Math.max(3, findLongestRun(text) + 1));
  return `${fence}text\n${escapeControlCharactersInLines(text)}\n${fence}`;
}

function findLongestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters).toWellFormed()}…` : text;
}
