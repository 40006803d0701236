export { Collector } from '@throughline/testkit/collector';
export type { PostedStep, PostedTrace } from '@throughline/testkit/posted';
