import {
  ACCESS_TOKEN_LENGTH,
  ACCESS_TOKEN_PREFIX,
  ApiError,
  type Client,
  createClient,
  formatCount,
  formatCounted,
  isAccessToken,
  routes,
} from '@throughline/contract';
import { escapeControlCharactersInLines } from '@throughline/contract/captured';
import { readReadSettings } from '../platform/config.ts';
import { CommandFailed, InvalidInput, type RunCommand, readOptions, say, splitArguments } from './command.ts';
import { findProject } from './traces/find-project.ts';
import { formatTable } from './traces/format-table.ts';
import { parseSince } from './traces/parse-since.ts';
import { readTraces } from './traces/read-traces.ts';

const TEXT_OPTIONS = ['url', 'project', 'since', 'limit'] as const;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;
const TIMEOUT_MS = 60_000;

export const listTraces: RunCommand = async (args) => {
  const { options, others } = splitArguments(args, TEXT_OPTIONS);
  const given = readOptions(options, { texts: TEXT_OPTIONS, switches: ['json'] });
  const limit = parseLimit(given.limit);
  const startDate = given.since === undefined ? undefined : parseSince(given.since, new Date()).toISOString();
  const settings = readReadSettings();
  const url = given.url === undefined ? settings.url : parseUrl(given.url);
  const client = connect(url, settings.token);
  exitWhenReaderIsGone();
  try {
    const { projects } = await client.call(routes.projects.list, {});
    const project = findProject(projects, given.project);
    const query = { q: others.join(' '), projectId: project.id, startDate };
    const read = await readTraces(client, query, limit);
    if (given.json === true) {
      // JSON.stringify escapes only some of the control characters.
      for (const trace of read.traces) say(escapeControlCharactersInLines(JSON.stringify(trace)));
    } else {
      if (read.traces.length > 0) process.stdout.write(formatTable(read.traces, url));
      process.stderr.write(`${describeEnd(read)}\n`);
    }
  } catch (error) {
    throw explainRefusal(error, url);
  }
};

function parseLimit(text = String(DEFAULT_LIMIT)): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new InvalidInput(`--limit must be a number from 1 to ${formatCount(MAX_LIMIT)}.`);
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  throw new InvalidInput('--url must be the URL of a server, such as https://throughline.example.com.');
}

/** @throws CommandFailed if there is no access token */
function connect(url: string, token: string | undefined): Client {
  if (token === undefined) {
    throw new CommandFailed('Set THROUGHLINE_TOKEN to an access token. Create one in Settings › Security.');
  }
  if (!isAccessToken(token)) {
    throw new CommandFailed(
      `THROUGHLINE_TOKEN is not an access token: it must be ${ACCESS_TOKEN_PREFIX} and ${ACCESS_TOKEN_LENGTH} letters and digits.`,
    );
  }
  return createClient({
    baseUrl: url,
    token: () => token,
    timeoutMs: TIMEOUT_MS,
    // The token is sent only to the given server, not to a server to which that server redirects.
    fetch: async (input, init) => {
      const answer = await fetch(input, { ...init, redirect: 'manual' });
      if (answer.status < 300 || answer.status >= 400) return answer;
      const target = new URL(answer.headers.get('location') ?? '', url).origin;
      throw new CommandFailed(
        `The server at ${url} redirects to ${target}. If this is your server, use it as --url.`,
      );
    },
  });
}

/** Ends the command if the program that reads its output ends, such as `head`. */
function exitWhenReaderIsGone(): void {
  process.stdout.on('error', (error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

function describeEnd(read: Awaited<ReturnType<typeof readTraces>>): string {
  const searched =
    read.searchedSince === undefined ? '' : ` Captured values were searched back to ${read.searchedSince}.`;
  if (read.traces.length === 0) return `No trace matches.${searched}`;
  if (read.traces.length >= read.total) return `${formatCounted(read.total, 'trace')}.${searched}`;
  return `The first ${formatCount(read.traces.length)} of ${formatCounted(read.total, 'trace')}. To list more, set --limit.${searched}`;
}

/** Converts an error of the API to an error of the command. The server's message is escaped, like all texts from the server. */
function explainRefusal(error: unknown, url: string): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.cause instanceof CommandFailed) return error.cause;
  const message = escapeControlCharactersInLines(error.message);
  if (error.code === 'validation_failed') return new InvalidInput(message, { cause: error });
  if (error.code === 'network_failure')
    return new CommandFailed(`The server at ${url} cannot be reached. Is the URL correct?`, { cause: error });
  if (error.code === 'unreadable_answer')
    return new CommandFailed(`There is no Throughline server at ${url}: ${message}`, { cause: error });
  const remedy = error.remedy === undefined ? '' : `\n${escapeControlCharactersInLines(error.remedy)}`;
  return new CommandFailed(`${message}${remedy}`, { cause: error });
}
