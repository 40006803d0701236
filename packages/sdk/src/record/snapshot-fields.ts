import type { CapturedValue } from '@throughline/contract/values';

/** The fields of an object as they are sent. No prototype: a name that the host put on Object.prototype is neither read nor run. */
export class Fields {
  [name: string]: CapturedValue;
}
Object.setPrototypeOf(Fields.prototype, null);
Reflect.deleteProperty(Fields.prototype, 'constructor');
