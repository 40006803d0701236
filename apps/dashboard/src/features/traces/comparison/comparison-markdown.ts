import { formatDuration, type TraceComparison, type TraceRow } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';

/** The maximum number of unusual values in the Markdown. */
const MAX_VALUES = 20;

/**
 * Returns a comparison as Markdown for an issue: both requests, at most three sentences about their differences, and the unusual values.
 */
export function writeComparisonMarkdown(
  row: TraceRow,
  { other, reason, statements, values }: TraceComparison,
  link: string,
): string {
  const unusual = values.filter((value) => value.unusual);
  const parts = [
    `### ${describeRequest(row)} compared with ${describeRequest(other)}`,
    reason === null ? '' : `${escapeControlCharacters(reason)}.`,
    statements.map(({ text }) => `- ${escapeControlCharacters(text)}`).join('\n'),
    unusual.length === 0
      ? ''
      : [
          '| step | value | this request | other request |',
          '| --- | --- | --- | --- |',
          ...unusual
            .slice(0, MAX_VALUES)
            .map(
              ({ step, part, path, value, otherValue }) =>
                `| ${[step, [part, path].filter((text) => text !== '').join(' '), value ?? '–', otherValue ?? '–'].map(escapeCell).join(' | ')} |`,
            ),
        ].join('\n'),
    `[Open comparison](${link.replaceAll(')', '%29')})`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function describeRequest({ request, response, timing }: TraceRow): string {
  return `${escapeCell(`${request.method} ${request.path}`)} (${response.statusCode ?? 'no response'}, ${formatDuration(timing.duration)})`;
}

/** Escapes a string for a Markdown table cell: puts it on one line and escapes `|` and other syntax. */
function escapeCell(text: string): string {
  return escapeControlCharacters(text).replaceAll(/[\\`*_{}[\]<>()#|~]/g, String.raw`\$&`);
}
