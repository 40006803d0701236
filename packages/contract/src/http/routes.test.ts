import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { ERRORS } from './errors.ts';
import { openApi } from './openapi.ts';
import { fillPath, type Route } from './route.ts';
import { routes } from './routes.ts';

const all: [string, Route][] = Object.entries(routes).flatMap(([domain, group]) =>
  Object.entries<Route>(group).map(([name, route]): [string, Route] => [`${domain}.${name}`, route]),
);

describe('the routes', () => {
  it('have distinct methods and paths', () => {
    const keys = all.map(([, route]) => `${route.method} ${route.path.replace(/:\w+/g, ':')}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(all)('%s declares the parameters of its path, and only known errors', (_name, route) => {
    const named = [...route.path.matchAll(/:(\w+)/g)].map((found) => found[1]);
    const shape = (route.params as z.ZodObject | undefined)?.shape ?? {};
    expect(Object.keys(shape)).toEqual(named);
    for (const code of route.errors) expect(ERRORS).toHaveProperty(code);
    // Three analytics pages also have routes without /api, such as `/analytics/users/:id`.
    expect(route.path).toMatch(/^\/(api|analytics)\//);
  });

  it.each(all.filter(([, { access }]) => 'action' in access && access.on !== 'own'))(
    '%s can respond that the resource does not exist',
    (name, route) => {
      expect(route.errors).toContain(name === 'projects.stats' ? 'forbidden' : 'not_found');
    },
  );

  it.each(all.filter(([, { access }]) => access.by === 'anyone'))(
    'are rate-limited if anyone can call them with parameters or a body, since these could be used to guess secrets: %s',
    (_name, { access, params, body }) => {
      const asks = params !== undefined || body !== undefined;
      const limit = access.by === 'anyone' ? access.limit : undefined;
      // Routes for public viewers always have a rate limit, since each of their requests reads from a store.
      if (limit !== 'public') expect(limit !== undefined).toBe(asks);
    },
  );

  it('require a recent authentication exactly for the actions that a session alone must not permit', () => {
    const marked = all.filter(([, { recentAuthentication }]) => recentAuthentication !== undefined);
    expect(Object.fromEntries(marked.map(([name, route]) => [name, route.recentAuthentication]))).toEqual({
      'account.updateProfile': 'email-change',
      'account.remove': true,
      'accessTokens.create': true,
      'twoFactor.setup': true,
      'twoFactor.regenerateBackupCodes': true,
      'orgs.transferOwnership': true,
    });
    for (const [, { access }] of marked) expect(access.by).toBe('session');
    const { paths } = openApi('1.2.3') as { paths: Record<string, Record<string, { responses: object }>> };
    for (const [, { path, method }] of marked) {
      const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      expect(JSON.stringify(operation?.responses)).toContain('reauthentication_required');
    }
  });

  it('accept access tokens exactly if they read projects, traces, errors or analytics', () => {
    const accepting = all.filter(([, route]) => route.accessTokens === true);
    for (const [name, { method, access, recentAuthentication }] of accepting) {
      expect({ name, method, by: access.by, recentAuthentication }).toEqual({
        name,
        method: 'GET',
        by: 'session',
        recentAuthentication: undefined,
      });
    }
    const domains = ['projects', 'traces', 'errors', 'analytics'];
    const reading = all.filter(
      ([name, { method, access }]) =>
        method === 'GET' && access.by === 'session' && domains.includes(name.split('.')[0] ?? ''),
    );
    // Access tokens can only read, but the complete API key permits sending traces. The live stream ends with its session.
    const excluded = ['projects.apiKey', 'traces.stream'];
    expect(accepting.map(([name]) => name)).toEqual(
      reading.map(([name]) => name).filter((name) => !excluded.includes(name)),
    );
  });

  it('are all in the OpenAPI description, which names the fields of a request body', () => {
    const description = openApi('1.2.3') as {
      paths: Record<
        string,
        Record<string, { operationId: string; requestBody?: unknown; responses: object }>
      >;
    };
    const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
    expect(operations.map((operation) => operation.operationId).sort()).toEqual(
      all.map(([name]) => name).sort(),
    );
    const login = description.paths['/api/auth/login']?.post;
    expect(JSON.stringify(login?.requestBody)).toContain('"password"');
    expect(Object.keys(login?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '400', '401', '429', '500']),
    );
  });
});

describe('fillPath', () => {
  it('escapes the parameters', () => {
    expect(fillPath('/api/traces/:id/steps/:stepId', { id: 'a/b', stepId: '?' })).toBe(
      '/api/traces/a%2Fb/steps/%3F',
    );
  });
  it('names a missing parameter in the error', () => {
    expect(() => fillPath('/x/:id', {})).toThrow('id');
  });
});

/** Matches a pattern with a part that means something else without the flag u: `\p{…}`, `\u{…}`, or a character beyond U+FFFF. */
const NEEDS_FLAG_U = /\\[pPu]\{|[\ud800-\udfff]/;

/** Lists the regular expressions of all schemas within a value. */
function listPatterns(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === 'pattern' && typeof part === 'string' ? [part] : listPatterns(part),
  );
}

describe('the OpenAPI description', () => {
  interface Operation {
    readonly requestBody?: { readonly required: boolean };
    readonly responses: Readonly<Record<string, { readonly content?: object; readonly description: string }>>;
  }
  const { paths } = openApi('1.2.3') as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const findOperation = ({ path, method }: Route) =>
    paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];

  it.each(all)(
    '%s lists the errors that every route can return, and additional errors if the route has a body',
    (_name, route) => {
      const statuses = Object.keys(findOperation(route)?.responses ?? {});
      expect(statuses).toEqual(expect.arrayContaining(['400', '408', '429', '431', '500', '503']));
      if (route.body !== undefined) expect(statuses).toEqual(expect.arrayContaining(['413', '415']));
    },
  );

  it('marks the bodies that are optional', () => {
    const optional = all.filter(([, route]) => findOperation(route)?.requestBody?.required === false);
    expect(optional.map(([name]) => name)).toEqual(['projects.regenerateApiKey']);
    expect(findOperation(routes.auth.login)?.requestBody?.required).toBe(true);
  });

  it('names access tokens and their errors for exactly the routes that accept them', () => {
    for (const [name, route] of all.filter(([, { access }]) => access.by === 'session')) {
      const text = JSON.stringify(findOperation(route));
      const accepts = route.accessTokens === true;
      const named = ['"accessToken":[]', '`invalid_access_token`', '`session_required`'];
      expect(
        named.map((part) => text.includes(part)),
        name,
      ).toEqual([accepts, accepts, !accepts]);
    }
  });

  it('describes invoices as PDF documents', () => {
    for (const route of [routes.billing.organizationInvoicePdf, routes.userBilling.invoicePdf]) {
      expect(findOperation(route)?.responses['200']?.content).toEqual({
        'application/pdf': { schema: { type: 'string', contentMediaType: 'application/pdf' } },
      });
    }
  });

  it('has only patterns that mean the same with and without the flag u, since a pattern cannot contain its flags', () => {
    const patterns = listPatterns(paths);
    expect(patterns.length).toBeGreaterThan(5);
    expect(patterns.filter((pattern) => NEEDS_FLAG_U.test(pattern))).toEqual([]);
    for (const pattern of patterns) for (const flags of ['', 'u']) new RegExp(pattern, flags);
  });
});
