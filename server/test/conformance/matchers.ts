import { expect } from 'vitest'

// Vitest declares these as `any`.
export const someText: unknown = expect.any(String)
export const someNumber: unknown = expect.any(Number)

export function textLike(pattern: RegExp): unknown {
  return expect.stringMatching(pattern)
}
