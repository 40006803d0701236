import { annotate, setUser } from '@throughline/node';
import type { Request, RequestHandler } from 'express';
import type { Database } from '../database/database.ts';
import { Refusal } from '../refusal.ts';
import type { Customer } from './customer.ts';
import { findSession, nameSession } from './sessions.ts';

const customers = new WeakMap<Request, Customer>();

/** Rejects requests without a valid session token. For other requests, {@link getCustomer} then returns the customer of the session. */
export function requireCustomer(database: Database): RequestHandler {
  return async function authenticate(request, _response, next) {
    const [, token] = /^Bearer (\S+)$/.exec(request.get('authorization') ?? '') ?? [];
    if (token === undefined) throw new Refusal(401, 'Sign in first');
    const customer = await findSession(database, token);
    customers.set(request, customer);
    setUser({
      id: customer.id,
      name: customer.name,
      tier: customer.loyaltyTier,
      sessionId: nameSession(token),
    });
    annotate({ tenant: customer.tenant });
    next();
  };
}

/** Returns the signed-in customer of the request. Throws an error if the route does not use {@link requireCustomer}. */
export function getCustomer(request: Request): Customer {
  const customer = customers.get(request);
  if (customer === undefined) throw new Error(`${request.path} is not behind requireCustomer`);
  return customer;
}
