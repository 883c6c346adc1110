import { expect } from 'vitest'

/** Expects an error response with that status and code. */
export function expectRefused(
  reply: { statusCode: number; json(): unknown },
  status: number,
  code: string,
): void {
  expect([reply.statusCode, reply.json()]).toMatchObject([status, { error_code: code }])
}
