import { expect } from 'vitest'

/** The call was answered with that status and the code of that error. */
export function expectRefused(
  reply: { statusCode: number; json(): unknown },
  status: number,
  code: string,
): void {
  expect([reply.statusCode, reply.json()]).toMatchObject([status, { error_code: code }])
}
