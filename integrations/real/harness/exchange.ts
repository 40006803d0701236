import { request as httpRequest } from 'node:http';
import type { Answer, RealRequest, RealService } from './service.ts';

/** Header with the number of a request, by which the request's trace is found. */
export const REQUEST_HEADER = 'x-real-request';

export function exchange(port: number, id: string, request: RealRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path: request.path,
        method: request.method ?? 'GET',
        headers: { [REQUEST_HEADER]: id, ...request.headers },
        agent: false,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', reject);
        response.once('end', () => {
          const headers: string[] = [];
          const { rawHeaders } = response;
          for (let at = 0; at < rawHeaders.length; at += 2)
            headers.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
          resolve({ status: response.statusCode ?? 0, headers, body: Buffer.concat(parts) });
        });
      },
    );
    sent.once('error', reject);
    sent.end(request.body);
  });
}

/**
 * Formats a response as text. Two texts are equal if and only if the responses are equal, apart from dates and the service's volatile
 * texts.
 */
export function printAnswer({ status, headers, body }: Answer, { volatile = [] }: RealService): string {
  const lines = [
    `${status}`,
    ...headers.map((header) => header.replace(/^date: .*/i, 'date: #')),
    '',
    body.toString('latin1'),
  ];
  return volatile.reduce((text, pattern) => text.replaceAll(pattern, '#'), lines.join('\n'));
}
