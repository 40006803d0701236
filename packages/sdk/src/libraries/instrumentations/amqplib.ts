import { AmqplibInstrumentation } from '@opentelemetry/instrumentation-amqplib';
import { messageBody } from '../../otel/spans/attribute-names.ts';
import { formatBody } from './body-text.ts';
import { type Patch, patchWith, type Tools } from './tools.ts';

export function create(tools: Tools): Patch {
  const instrumentation = new AmqplibInstrumentation({
    enabled: false,
    publishHook(span, { content }) {
      const text = formatBody(content);
      if (text !== undefined) span.setAttribute(messageBody, text);
    },
  });
  return patchWith(instrumentation, tools);
}
