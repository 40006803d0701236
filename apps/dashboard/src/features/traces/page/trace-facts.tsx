import { formatDuration, formatMegabytes, type Trace, type TracePart } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { DurationText, MethodBadge, StatusBadge } from '../../../ui/layout/badges.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import type { Selection } from '../data/use-selection.ts';
import { describeTruncated } from '../parts/dropped-text.ts';
import classes from '../parts/facts.module.css';
import { Facts } from '../parts/facts.tsx';
import { getPart } from '../parts/missing-part.ts';
import { PartSection } from '../parts/part-section.tsx';
import { ValueOriginPanel } from '../value-origin/value-origin-panel.tsx';

const QUERY = ['request', 'query'];
const REQUEST_HEADERS = ['request', 'headers'];
const REQUEST_BODY = ['request', 'body'];
const RESPONSE_HEADERS = ['response', 'headers'];
const RESPONSE_BODY = ['response', 'body'];
const USER = ['user'];
const ATTRIBUTES = ['attributes'];

const renderMono = (text: string | null) =>
  text !== null && text !== '' && <span className="mono">{escapeControlCharacters(text)}</span>;
const renderKnown = (text: React.ReactNode) => (text === false || text === '' ? '–' : text);

interface FactsProps {
  readonly trace: Trace;
  readonly selection: Selection;
}

/** Shows the method, path, route, URL, IP address, user agent, query, headers and body of the request. */
export function RequestFacts({ trace, selection }: FactsProps) {
  const { request } = trace;
  return (
    <div className={classes.page}>
      <div className={classes.followed}>
        <ValueOriginPanel selection={selection} />
      </div>
      <Facts
        facts={[
          ['Method', <MethodBadge key="method" method={escapeControlCharacters(request.method)} />],
          ['Path', renderKnown(renderMono(request.path))],
          ['Route', renderKnown(renderMono(request.route))],
          ['URL', renderKnown(renderMono(request.url))],
          ['IP', renderKnown(renderMono(request.ip))],
          ['User agent', renderKnown(escapeControlCharacters(request.userAgent ?? ''))],
        ]}
      />
      <PartSection trace={trace} part="request.query" title="Query" path={QUERY} />
      <PartSection trace={trace} part="request.headers" title="Request headers" path={REQUEST_HEADERS} />
      <PartSection trace={trace} part="request.body" title="Request body" path={REQUEST_BODY} />
    </div>
  );
}

/** Shows the status, headers and body of the response, and the start and duration of the request. */
export function ResponseFacts({ trace, selection }: FactsProps) {
  const { response, timing } = trace;
  return (
    <div className={classes.page}>
      <div className={classes.followed}>
        <ValueOriginPanel selection={selection} />
      </div>
      <Facts
        facts={[
          [
            'Status',
            <StatusBadge key="status" statusCode={response.statusCode} hasError={trace.error.hasError} />,
          ],
          ['Duration', <DurationText key="duration" ms={timing.duration} />],
          ['Time', <Timestamp key="time" at={timing.startTime} show="full" />],
        ]}
      />
      <PartSection trace={trace} part="response.headers" title="Response headers" path={RESPONSE_HEADERS} />
      <PartSection trace={trace} part="response.body" title="Response body" path={RESPONSE_BODY} />
    </div>
  );
}

/** Shows the resources that the request used, and the process that handled it. */
export function PerformanceFacts({ trace }: { readonly trace: Trace }) {
  const { performance: measured } = trace;
  return (
    <div className={classes.page}>
      <Facts
        facts={[
          ['Duration', <DurationText key="duration" ms={trace.timing.duration} />],
          ['Memory', measured.memoryUsage === null ? '–' : formatMegabytes(measured.memoryUsage.heapUsed)],
          ['CPU', measured.cpuUsage === null ? '–' : `${measured.cpuUsage.toFixed(1)} %`],
          [
            'Event loop delay',
            measured.eventLoopDelay === null ? '–' : formatDuration(measured.eventLoopDelay),
          ],
          ['Steps', String(trace.stepCount)],
          ['Truncated', describeTruncated(trace)],
        ]}
      />
      <Facts
        facts={[
          [
            'Service',
            renderKnown(escapeControlCharacters(`${trace.service} ${trace.serviceVersion}`.trim())),
          ],
          ['Environment', renderKnown(escapeControlCharacters(trace.environment))],
          ['Release', renderKnown(escapeControlCharacters(trace.release))],
          ['Instance', renderKnown(escapeControlCharacters(trace.instance))],
          ['Runtime', renderKnown(escapeControlCharacters(trace.runtime))],
          ['Trace ID', renderKnown(renderMono(trace.traceId))],
          ['Span ID', renderKnown(renderMono(trace.spanId))],
          ['Session', renderKnown(renderMono(trace.sessionId))],
          ['Stored', <Timestamp key="stored" at={trace.createdAt} />],
        ]}
      />
      {has(trace, 'user') && <PartSection trace={trace} part="user" title="User" path={USER} />}
      {has(trace, 'attributes') && (
        <PartSection trace={trace} part="attributes" title="Attributes" path={ATTRIBUTES} />
      )}
    </div>
  );
}

function has(trace: Trace, part: TracePart): boolean {
  const isLeftOut = trace.leftOut?.some((each) => each.part === part) ?? false;
  return isLeftOut || Object.keys(getPart(trace, part) ?? {}).length > 0;
}
