import { type QueryField, refuse } from './query-field.ts';

const OUTCOMES = ['error', 'success'] as const;
const CLASSES = ['2xx', '3xx', '4xx', '5xx', 'other'] as const;

/** A field that sets one of three filters: the outcome, the status class or the status code. */
export const STATUS_FIELD: QueryField = {
  name: 'status',
  about: 'Outcome, class or code of the response',
  example: 'status:5xx',
  negation: 'values',
  values: [...OUTCOMES, ...CLASSES],
  read(value) {
    const wanted = value.toLowerCase();
    const status = OUTCOMES.find((one) => one === wanted);
    if (status !== undefined) return { set: { status } };
    const statusClass = CLASSES.find((one) => one === wanted);
    if (statusClass !== undefined) return { set: { statusClass } };
    if (/^\d{1,3}$/.test(wanted)) return { set: { statusCode: Number(wanted) } };
    return refuse(
      `“${value}” is not a status. Write error, success, a code such as 404, or a class such as 5xx.`,
    );
  },
  write: ({ status, statusClass, statusCode }) =>
    [status, statusClass, statusCode].flatMap((value) =>
      value === undefined ? [] : [{ value: String(value) }],
    ),
};
