import { KafkaJsInstrumentation } from '@opentelemetry/instrumentation-kafkajs';
import { messageBody } from '../../otel/spans/attribute-names.ts';
import { formatBody } from './body-text.ts';
import { type Patch, patchWith, type Tools } from './tools.ts';

export function create(tools: Tools): Patch {
  const instrumentation = new KafkaJsInstrumentation({
    enabled: false,
    producerHook(span, { message }) {
      const text = formatBody(message.value);
      if (text !== undefined) span.setAttribute(messageBody, text);
    },
  });
  return patchWith(instrumentation, tools);
}
