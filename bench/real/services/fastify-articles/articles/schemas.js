const slug = { type: 'object', required: ['slug'], properties: { slug: { type: 'string' } } };

export const listSchema = {
  querystring: {
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      offset: { type: 'integer', minimum: 0, default: 0 },
    },
  },
};

export const showSchema = { params: slug };

export const changeSchema = {
  params: slug,
  body: {
    type: 'object',
    required: ['article'],
    properties: {
      article: {
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: {
          title: { type: 'string', minLength: 1 },
          description: { type: 'string', minLength: 1 },
          body: { type: 'string', minLength: 1 },
        },
      },
    },
  },
};
