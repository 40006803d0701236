import { expect, test } from 'vitest';
import { findStep, isBelow, printFlow } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { ADMIN_PASSWORD, ADMIN_TOKEN, scenario, service } from './service.ts';

/** Expected steps of Express's functions, which run before Vendure's own functions: `NestFactory.create` with the option `cors`. */
const MIDDLEWARES = `
corsMiddleware
jsonParser
urlencodedParser`;

/** Expected steps of `RequestContextService.fromRequest` for a request without a session. */
const ANONYMOUS_CONTEXT = `
RequestContextService.fromRequest
  RequestContextService.getChannelToken
  ChannelService.getChannelFromToken
    value
      getValue
        getTimeNow
    ChannelService.getDefaultChannel
      value
        getValue
          getTimeNow
      allChannels.find() callback
  getApiType
  RequestContextService.getLanguageCode
  RequestContextService.getCurrencyCode
  RequestContextService.userHasRequiredPermissionsOnChannel
  new RequestContext
AuthGuard.setActiveChannel
internal_setRequestContext
DefaultEntityAccessControlStrategy.canAccess`;

/** Indents each line of a tree, and removes the empty line before the tree. */
function indent(tree: string, spaces: number): string {
  return tree.trim().replaceAll(/^/gm, ' '.repeat(spaces));
}

const getRuns = testService({
  service,
  scenario,
  flows: {
    // `HealthController.check`: the global guard, and the three global interceptors of `ApiModule`.
    0: `${MIDDLEWARES}
AuthGuard.canActivate
  parseContext
  isFieldResolver
  AuthGuard.getSession
    extractSessionToken
${indent(ANONYMOUS_CONTEXT, 2)}
IdInterceptor.intercept
  parseContext
  CustomFieldProcessingInterceptor.intercept
    parseContext
    TranslateErrorResultInterceptor.intercept
      parseContext
      HealthController.check
      switchMap() callback
      map() callback
        TranslateErrorResultInterceptor.translateResult`,
    // The user lacks the permission for the resolver. The same document was parsed before, so the result of `getOutputTypeTree` is in a
    // cache.
    9: `${MIDDLEWARES}
context
TranslateErrorsPlugin.requestDidStart
  willSendResponse
    errors.map() callback
      I18nService.translateError
AssetInterceptorPlugin.requestDidStart
  willSendResponse
    AssetInterceptorPlugin.prefixAssetUrls
      GraphqlValueTransformer.getOutputTypeTree
mutation CreateProduct
  AuthGuard.canActivate
    parseContext
    isFieldResolver
    AuthGuard.getSession
      extractSessionToken
${indent(ANONYMOUS_CONTEXT, 4)}
      RequestContext.userHasPermissions
        RequestContext.getUserPermissionsOnChannel
    new ForbiddenError
      new I18nError
  ExceptionLoggerFilter.catch
    parseContext
    ExceptionLoggerFilter.errorCodeToStatusCode
    Logger.verbose
      DefaultLogger.verbose
    Logger.debug
      DefaultLogger.debug`,
    // A document that does not match the schema. `visitor` visits every node of the document: the operation and three fields.
    10: `${MIDDLEWARES}
context
TranslateErrorsPlugin.requestDidStart
  willSendResponse
    errors.map() callback
      I18nService.translateError
AssetInterceptorPlugin.requestDidStart
  willSendResponse
    AssetInterceptorPlugin.prefixAssetUrls
      GraphqlValueTransformer.getOutputTypeTree
        visitor.enter
        visitor.enter
        visitor.leave
        visitor.enter
        visitor.enter
          GraphqlValueTransformer.isList
        visitor.enter
        visitor.leave
        visitor.enter
        visitor.enter
          GraphqlValueTransformer.isList
        visitor.enter
        visitor.leave
        visitor.enter
        visitor.enter
          GraphqlValueTransformer.isList
        visitor.enter
        visitor.leave
        visitor.leave
          GraphqlValueTransformer.isTypeTree
        visitor.leave
        visitor.leave
          GraphqlValueTransformer.isTypeTree
        visitor.leave
        visitor.leave
          GraphqlValueTransformer.isTypeTree
        visitor.leave
        visitor.leave`,
    13: `${MIDDLEWARES}
ExceptionLoggerFilter.catch
  parseContext
  Logger.verbose
    DefaultLogger.verbose`,
    14: `
corsMiddleware
jsonParser
ExceptionLoggerFilter.catch
  parseContext
  Logger.error
    DefaultLogger.error
      DefaultLogger.ensureString
      DefaultLogger.logMessage
        DefaultLogger.logTimestamp
        DefaultLogger.logContext`,
  },
  // Vendure throws errors whose messages are keys, and translates the keys after it has executed the operation.
  errors: {
    8: 'error.entity-with-id-not-found',
    9: 'error.forbidden',
    10: 'Cannot query field "price" on type "Product".',
    11: 'error.product-id-or-slug-must-be-provided',
    14: 'Unexpected end of JSON input',
  },
  // Apollo Server calls the first three functions. Nest calls the exception filter after Express has called Nest's error handler.
  calledByLibraries: [
    'context',
    'TranslateErrorsPlugin.requestDidStart',
    'AssetInterceptorPlugin.requestDidStart',
    'ExceptionLoggerFilter.catch',
  ],
  secrets: [ADMIN_PASSWORD, ADMIN_TOKEN],
});

test('a resolver with a transaction is below the function that opens the transaction and rolls it back', (context) => {
  const trace = getRuns(context).traces[8];
  const wrapped = findStep(trace, 'TransactionWrapper.executeInTransaction');
  expect(trace === undefined ? '' : printFlow(trace, wrapped.stepId)).toBe(
    `
RequestContext.copy
TransactionWrapper.startTransaction
  attemptStartTransaction
    TypeOrmLogger.logQuery
      TypeOrmLogger.shouldDisplay
this.transactionWrapper.executeInTransaction() callback
  internal_setRequestContext
  createParamDecorator() callback
    parseContext
    isFieldResolver
    internal_getRequestContext
  ProductResolver.updateProduct
    ProductService.update
      TransactionalConnection.getEntityOrThrow
        TransactionalConnection.getEntityOrThrowInternal
          TransactionalConnection.findOneInChannel
            TransactionalConnection.getRepository
              TransactionalConnection.getTransactionManager
            joinTreeRelationsDynamically
              findOptionsObjectToArray
              isTreeEntityMetadata
              relationsArray.forEach() callback
                processRelation
                  isTreeEntityMetadata
              relationsArray.forEach() callback
                processRelation
                  isTreeEntityMetadata
            findOptionsObjectToArray
            findOptionsObjectToArray().filter() callback
            findOptionsObjectToArray().filter() callback
            TypeOrmLogger.logQuery
              TypeOrmLogger.shouldDisplay
            qb.getOne().then() callback
          new EntityNotFoundError
            new I18nError
retryWhen() callback
  tap() callback
    TransactionWrapper.isRetriableError
TypeOrmLogger.logQuery
  TypeOrmLogger.shouldDisplay
TransactionSubscriber.afterTransactionRollback`.trim(),
  );
});

test('the step of each function that passes an error on shows the message of the error', (context) => {
  const trace = getRuns(context).traces[8];
  const names = [
    'TransactionalConnection.getEntityOrThrowInternal',
    'ProductService.update',
    'tap() callback',
  ];
  for (const name of [...names, 'ProductResolver.updateProduct', 'mutation UpdateProduct'])
    expect(findStep(trace, name).error?.message).toBe('error.entity-with-id-not-found');
});

test('a mutation that returns its error as a result does not fail', (context) => {
  const trace = getRuns(context).traces[2];
  const authenticate = findStep(trace, 'AuthService.authenticate');
  expect(isBelow(trace, findStep(trace, 'BcryptPasswordHashingStrategy.check'), authenticate)).toBe(true);
  expect(isBelow(trace, findStep(trace, 'new InvalidCredentialsError'), authenticate)).toBe(true);
  expect(authenticate.error).toBeFalsy();
});

test('the step of a decorated class shows the author’s file and line', (context) => {
  const { filePath, lineNumber } = findStep(getRuns(context).traces[9], 'AuthGuard.canActivate');
  expect(`${filePath}:${lineNumber}`).toBe('@vendure/core/src/api/middleware/auth-guard.ts:49');
});
