import { z } from 'zod'
import { AppError } from '../base/app-error.ts'

export function parseRequest<S extends z.core.$ZodType>(schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value)
  if (!result.success) throw new AppError('request.invalid', { cause: result.error })
  return result.data
}

const compiled = new WeakMap<z.core.$ZodType, z.core.$ZodType>()

/**
 * Parses by compiled code, which is made at the first use. The schemas of the contract, which browsers load, have none
 * by themselves: a page of orders would take several times as long.
 *
 * @throws if the value does not have the form of the schema
 */
export function parseResponse(schema: z.core.$ZodType, value: unknown): unknown {
  const known = compiled.get(schema) ?? z.compile(schema)
  compiled.set(schema, known)
  return z.parse(known, value)
}
