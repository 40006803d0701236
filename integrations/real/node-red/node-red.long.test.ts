import { expect, test } from 'vitest';
import { findStep, isBelow } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { scenario, service } from './service.ts';

const getRuns = testService({
  service,
  scenario,
  flows: {
    6: `
request handler
  rawBodyCapture
    getRouteKey
  jsonParser
  urlencodedParser
  serveStatic
  GET /flow/:id
  get
    getRequestLogObject
    getFlow
      getFlow
        configIds.map() callback
        configIds.map() callback
        configIds.map() callback
        configIds.map() callback
        configIds.map() callback
        configIds.map() callback
        configIds.map() callback
        configIds.map() callback
      audit
        log
          logHandlers.forEach() callback
            this.on('log') callback
              LogHandler.shouldReportMessage
          logHandlers.forEach() callback
            DebugNode.logHandler.on('log') callback
    runtimeAPI.flows.getFlow().then() callback`,
    9: `
request handler
  rawBodyCapture
    getRouteKey`,
  },
  errors: {},
});

test('a Node-RED node that the message queue calls later is a step below the node that sent the message', (context) => {
  const trace = getRuns(context).traces[0];
  const received = findStep(trace, 'callback');
  const callback = findStep(trace, "node.on('input') callback");
  const change = findStep(trace, "this.on('input') callback");
  expect(isBelow(trace, callback, received)).toBe(true);
  expect(isBelow(trace, change, callback)).toBe(true);
});
