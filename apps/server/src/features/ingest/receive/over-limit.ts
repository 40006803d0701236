import { describeExcess, REQUEST_LIMITS, type RequestLimitName } from '@throughline/contract';
import { AppError, type AppErrorOptions } from '../../../platform/http/errors.ts';

export function buildLimitError(name: RequestLimitName, options: AppErrorOptions = {}): AppError {
  return new AppError('payload_too_large', describeExcess(name), {
    ...options,
    details: { limit: REQUEST_LIMITS[name].max, limitName: name },
  });
}
