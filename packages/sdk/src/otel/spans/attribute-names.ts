/** Attributes that become a step's inputs and outputs; the hooks of the instrumentations set them. */
export const parameterTypes = 'throughline.parameter_types';
export const returnedRows = 'db.response.returned_rows';
export const messageBody = 'messaging.message.body';
