import { expect, test } from 'vitest';
import { findStep } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { PASSWORD, scenario, service } from './service.ts';

/** Expected steps of the middlewares that run before the API (`build/api/index.js`). */
const MIDDLEWARES = `
corsMiddleware
log
  req.on('close') callback
    log
errorReportingMiddleware
middleware /
  getUserAgent
compression
jsonParser
`;

const getRuns = testService({
  service,
  scenario,
  flows: {
    2: `${MIDDLEWARES}middleware /
  createAnonymousRemoteUser
  next
middleware /
middleware /
jsonParser
middleware /
encodeScopePackage
validatePackage
  isPackageValid
    validatePackage
      validateName
        isPackageNameScoped
GET /:package/:version?
  beforeAll
  Auth.allow_access
    getMatchedPackagesSpec
    next
      next
        allowActionCallback
          groupAccess.some() callback
          plugin.allow_access() callback
            auth() callback
              afterAll
GET /:package/:version?
  getByQualityPriorityValue
  Storage.getPackage
    LocalStorage.getPackageMetadata
      LocalStorage._getLocalStorage
        isPackageValid
          validatePackage
            validateName
              isPackageNameScoped
        LocalDatabase.getPackageStorage
          Config.getMatchedPackagesSpec
            getMatchedPackagesSpec
          LocalDatabase._getLocalStoragePath
          packageName.split().map() callback
          new LocalFS
      LocalStorage._readPackage
        LocalFS.readPackage
          LocalFS._getStorage
          LocalFS._readStorageFile
            new Promise() callback
              fs.readFile() callback
          this._readStorageFile().then() callback
            storage.readPackage() callback
              normalizePackage
                forEach() callback
                  isObject
                forEach() callback
                  isObject
                forEach() callback
                  isObject
                forEach() callback
                  isObject
                forEach() callback
                  isObject
                forEach() callback
                  isObject
                normalizeDistTags
              this.localStorage.getPackageMetadata() callback
                Storage._syncUplinksMetadata
                  async.map() callback
                    Storage._applyFilters
                    getPackageSynUpLinksCallback
                      cleanUpLinksRef
                      normalizeDistTags
                      getPackageMetaCallback
                        convertDistRemoteToLocalTarballUrls
                          convertDistVersionToLocalTarballsUrl
                            getLocalRegistryTarballUri
                              extractTarballFromUrl
                              getPublicUrl
                                validateURL
                                isHost
                                getWebProtocol
                                combineBaseUrl
                                  wrapPrefix
                                  wrapPrefix
handleError
final
  stringToMD5
  filter
  res.end
    log`,
    8: `${MIDDLEWARES}middleware /
  createAnonymousRemoteUser
  next
middleware /
middleware /
jsonParser
middleware /
encodeScopePackage
validatePackage
  isPackageValid
    validatePackage
      validateName
        isPackageNameScoped
      validateName
        isPackageNameScoped
GET /:package/:version?
  beforeAll
  Auth.allow_access
    getMatchedPackagesSpec
    next
      next
        allowActionCallback
          groupAccess.some() callback
          getUnauthorized
            getError
          plugin.allow_access() callback
            auth() callback
handleError
  res.locals.report_error
final
  filter
  res.end
    log`,
    9: `${MIDDLEWARES}middleware /
  createAnonymousRemoteUser
  isAuthHeaderValid
  isAESLegacy
  Auth.handleAESMiddleware
    getMiddlewareCredentials
      isAESLegacy
      parseAESCredentials
        parseAuthTokenHeader
        convertPayloadToBase64
    Auth.getLegacyAuthCacheKey
      Auth.isLegacyAuthCacheEnabled
    Auth.getLegacyAuthCacheEntry
    Auth.enqueueLegacyAuthCacheWaiter
    Auth.authenticate
      next
        plugin.authenticate() callback
          createRemoteUser
          onAuthComplete
            Auth.setLegacyAuthCacheEntry
            applyAuthResult
              next
            Auth.resolveLegacyAuthCacheWaiters
middleware /
middleware /
jsonParser
middleware /
encodeScopePackage
GET /-/whoami
handleError
final
  stringToMD5
  filter
  res.end
    log`,
    11: `${MIDDLEWARES}middleware /
  createAnonymousRemoteUser
  next
middleware /
middleware /
jsonParser
middleware /
encodeScopePackage
GET /-/ping
handleError
final
  stringToMD5
  filter
  res.end
    log`,
  },
  errors: {
    7: 'no such package available',
    8: 'authorization required to access package @private/none',
    12: 'Unexpected end of JSON input',
  },
  secrets: [PASSWORD, Buffer.from(`ada:${PASSWORD}`).toString('base64')],
});

test('if a function returns a promise that rejects, the reason of the rejection is the error of its step', (context) => {
  const step = findStep(getRuns(context).traces[1], 'LocalStorage.getPackageMetadataAsync');
  expect(step.error?.message).toBe('no such package available');
});

test('the step of a function shows the author’s file and line, the arguments and the return value', (context) => {
  const step = findStep(getRuns(context).traces[2], 'Config.getMatchedPackagesSpec');
  expect(step.filePath).toBe('verdaccio/src/lib/config.ts');
  expect(step.inputs).toMatchObject({ pkgName: 'real-package' });
  expect(step.variables?.returnValue).toMatchObject({ access: ['$all'] });
});
