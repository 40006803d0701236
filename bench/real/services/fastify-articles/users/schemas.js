export const loginSchema = {
  body: {
    type: 'object',
    required: ['user'],
    properties: {
      user: {
        type: 'object',
        required: ['email', 'password'],
        properties: {
          email: { type: 'string', format: 'email' },
          password: { type: 'string', minLength: 8 },
        },
      },
    },
  },
};
