/** Names of attributes that become a step's inputs and outputs. The SDK's hooks in the instrumentations set these attributes. */
export const returnedRows = 'db.response.returned_rows';
export const messageBody = 'messaging.message.body';
