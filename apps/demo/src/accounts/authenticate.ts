import type { Request, RequestHandler } from 'express';
import type { Database } from '../database/database.ts';
import { Refusal } from '../refusal.ts';
import type { Customer } from './customer.ts';
import { findSession } from './sessions.ts';

const customers = new WeakMap<Request, Customer>();

/** Lets through who carries the token of a session; {@link customerOf} tells who that is. */
export function requireCustomer(database: Database): RequestHandler {
  return async function authenticate(request, _response, next) {
    const [, token] = /^Bearer (\S+)$/.exec(request.get('authorization') ?? '') ?? [];
    if (token === undefined) throw new Refusal(401, 'Sign in first');
    customers.set(request, await findSession(database, token));
    next();
  };
}

/** Who signed in for this request. Throws on a route without {@link requireCustomer}. */
export function customerOf(request: Request): Customer {
  const customer = customers.get(request);
  if (customer === undefined) throw new Error(`${request.path} is not behind requireCustomer`);
  return customer;
}
