import { formatDuration, formatMegabytes, type Trace } from '@throughline/contract';
import { DurationText, MethodBadge, StatusBadge } from '../../ui/badges.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { escapeControlCharacters } from '../../visuals/values/escape-control-characters.ts';
import { droppedText } from './dropped-text.ts';
import classes from './facts.module.css';
import { Facts, ValueSection } from './facts.tsx';
import { parseBody } from './parse-body.ts';

const QUERY = ['request', 'query'];
const REQUEST_HEADERS = ['request', 'headers'];
const REQUEST_BODY = ['request', 'body'];
const RESPONSE_HEADERS = ['response', 'headers'];
const RESPONSE_BODY = ['response', 'body'];

const mono = (text: string | null) =>
  text !== null && text !== '' && <span className="mono">{escapeControlCharacters(text)}</span>;
const known = (text: React.ReactNode) => (text === false || text === '' ? '–' : text);

/** What came in. */
export function RequestFacts({ trace: { request } }: { readonly trace: Trace }) {
  return (
    <div className={classes.page}>
      <Facts
        facts={[
          ['Method', <MethodBadge key="method" method={escapeControlCharacters(request.method)} />],
          ['Path', known(mono(request.path))],
          ['Route', known(mono(request.route))],
          ['URL', known(mono(request.url))],
          ['IP', known(mono(request.ip))],
          ['User agent', known(escapeControlCharacters(request.userAgent ?? ''))],
        ]}
      />
      <ValueSection title="Query" value={request.query} path={QUERY} />
      <ValueSection title="Request headers" value={request.headers} path={REQUEST_HEADERS} />
      <ValueSection title="Request body" value={parseBody(request.body)} path={REQUEST_BODY} />
    </div>
  );
}

/** What went out. */
export function ResponseFacts({ trace }: { readonly trace: Trace }) {
  const { response, timing } = trace;
  return (
    <div className={classes.page}>
      <Facts
        facts={[
          ['Status', <StatusBadge key="status" statusCode={response.statusCode} />],
          ['Duration', <DurationText key="duration" ms={timing.duration} />],
          ['Time', <Timestamp key="time" at={timing.startTime} show="clock" />],
        ]}
      />
      <ValueSection title="Response headers" value={response.headers} path={RESPONSE_HEADERS} />
      <ValueSection title="Response body" value={parseBody(response.body)} path={RESPONSE_BODY} />
    </div>
  );
}

/** What the request cost, and where it ran. */
export function PerformanceFacts({ trace }: { readonly trace: Trace }) {
  const { performance: measured, dropped } = trace;
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
          ['Left out', droppedText(dropped) ?? 'nothing'],
        ]}
      />
      <Facts
        facts={[
          ['Service', known(escapeControlCharacters(`${trace.service} ${trace.serviceVersion}`.trim()))],
          ['Environment', known(escapeControlCharacters(trace.environment))],
          ['Release', known(escapeControlCharacters(trace.release))],
          ['Instance', known(escapeControlCharacters(trace.instance))],
          ['Runtime', known(escapeControlCharacters(trace.runtime))],
          ['Trace ID', known(mono(trace.traceId))],
          ['Span ID', known(mono(trace.spanId))],
          ['Session', known(mono(trace.sessionId))],
          ['Stored', <Timestamp key="stored" at={trace.createdAt} />],
        ]}
      />
      {trace.user !== null && <ValueSection title="User" value={trace.user} path={['user']} />}
      {Object.keys(trace.attributes).length > 0 && (
        <ValueSection title="Attributes" value={trace.attributes} path={['attributes']} />
      )}
    </div>
  );
}
