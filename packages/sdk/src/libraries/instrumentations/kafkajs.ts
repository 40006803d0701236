import { KafkaJsInstrumentation } from '@opentelemetry/instrumentation-kafkajs';
import { messageBody } from '../../otel/spans/attribute-names.ts';
import { bodyText } from './body-text.ts';
import { type Patch, patchWith, type Tools } from './tools.ts';

export function create(tools: Tools): Patch {
  const instrumentation = new KafkaJsInstrumentation({
    enabled: false,
    producerHook(span, { message }) {
      const text = bodyText(message.value);
      if (text !== undefined) span.setAttribute(messageBody, text);
    },
  });
  return patchWith(instrumentation, tools);
}
