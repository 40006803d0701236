import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type AbsoluteFields, fillFields, readFields } from './absolute-range.ts';
import classes from './time-range.module.css';
import type { TimeRange } from './time-range.ts';

interface AbsoluteFormProps {
  readonly range: TimeRange | undefined;
  readonly onChoose: (range: TimeRange) => void;
}

const ROWS = [
  { day: 'startDay', time: 'startTime', label: 'From' },
  { day: 'endDay', time: 'endTime', label: 'To' },
] as const;

/** Form for a time range with a start and an end, each a day or a day with a time of day. */
export function AbsoluteForm({ range, onChoose }: AbsoluteFormProps) {
  const [fields, setFields] = useState<AbsoluteFields>(() => fillFields(range, new Date()));
  const [fault, setFault] = useState<string>();
  const type = (name: keyof AbsoluteFields) => (event: FormEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    setFields((before) => ({ ...before, [name]: value }));
    setFault(undefined);
  };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const read = readFields(fields, new Date());
    if (read.range === undefined) setFault(read.fault);
    else onChoose(read.range);
  };
  return (
    <form className={classes.fields} aria-label="From and to" noValidate onSubmit={apply}>
      {ROWS.map(({ day, time, label }) => [
        <TextInput
          key={day}
          size="xs"
          type="date"
          label={label}
          min="1970-01-01"
          value={fields[day]}
          error={day === 'endDay' ? fault : undefined}
          onChange={type(day)}
        />,
        <TextInput
          key={time}
          size="xs"
          type="time"
          label={`${label}, time`}
          value={fields[time]}
          onChange={type(time)}
        />,
      ])}
      <Button type="submit" size="xs" variant="default">
        Apply
      </Button>
    </form>
  );
}
