import { z } from 'zod';
import { BODY_ERRORS, COMMON_ERRORS, ERRORS, type ErrorCode } from './errors.ts';
import type { AnswerKind, Route } from './route.ts';
import { routes } from './routes.ts';

type Json = { [key: string]: unknown };

/** Builds the OpenAPI 3.1 description of all routes. */
export function openApi(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [domain, group] of Object.entries(routes)) {
    for (const [name, route] of Object.entries<Route>(group)) {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: buildOperation(domain, name, route) };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Throughline', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: "A session's token" },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description: "A user's access token, which can only read",
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: "A project's API key" },
      },
    },
  };
}

function buildOperation(domain: string, name: string, route: Route): Json {
  return {
    operationId: `${domain}.${name}`,
    tags: [domain],
    summary: route.summary,
    security: buildSecurity(route),
    parameters: [...buildParameters('path', route.params), ...buildParameters('query', route.query)],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: !route.body.safeParse(undefined).success,
            content: { 'application/json': { schema: toJsonSchema(route.body, 'input') } },
          },
        }),
    responses: { [String(route.status ?? 200)]: buildSuccess(route), ...buildFailures(route) },
  };
}

function buildSecurity(route: Route): Json[] {
  if (route.access.by === 'anyone') return [];
  if (route.access.by === 'api-key') return [{ apiKey: [] }];
  return [
    { session: [] },
    ...(route.accessTokens === true ? [{ accessToken: [] }] : []),
    ...(route.access.publicViewers === true ? [{}] : []),
  ];
}

function buildSuccess(route: Route): Json {
  const type = MEDIA_TYPES[route.answerKind ?? 'json'];
  return { description: 'Success', content: { [type]: { schema: toJsonSchema(route.answer, 'output') } } };
}

function buildFailures(route: Route): Json {
  const codes = new Set<ErrorCode>([...route.errors, ...COMMON_ERRORS]);
  if (route.body !== undefined) for (const code of BODY_ERRORS) codes.add(code);
  if (route.access.by === 'session') {
    codes.add('unauthenticated');
    codes.add(route.accessTokens === true ? 'invalid_access_token' : 'session_required');
  }
  if (route.recentAuthentication !== undefined) codes.add('reauthentication_required');
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      { description: group.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n') },
    ]),
  );
}

function buildParameters(place: 'path' | 'query', schema: z.ZodType | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  });
  return rest;
}

const MEDIA_TYPES = {
  json: 'application/json',
  'event-stream': 'text/event-stream',
  ndjson: 'application/x-ndjson',
  pdf: 'application/pdf',
} as const satisfies Record<AnswerKind, string>;
